import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.FileReader;
import java.lang.management.ManagementFactory;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.lazy.IBk;
import weka.classifiers.trees.J48;
import weka.core.Instances;

/**
 * Does a job with Weka, and prints the CPU seconds that it took and the number of correct
 * predictions. Usage: java Peer JOB FILE.arff
 */
public class Peer {
  private static double cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
  }

  private static Classifier classifier(String job) {
    switch (job) {
      case "nn1":
        return new IBk(1);
      case "nn5":
        return new IBk(5);
      case "naivebayes":
        return new NaiveBayes();
      case "c45":
        return new J48();
      default:
        throw new IllegalArgumentException(job);
    }
  }

  public static void main(String[] args) throws Exception {
    double start = cpu();
    Instances all;
    try (BufferedReader in = new BufferedReader(new FileReader(args[1]))) {
      all = new Instances(in);
    }
    all.setClassIndex(all.numAttributes() - 1);
    int correct = 0;
    if (!args[0].equals("read")) {
      Instances train = new Instances(all, all.numInstances());
      Instances test = new Instances(all, all.numInstances() / 10 + 1);
      for (int i = 0; i < all.numInstances(); i++) {
        (i % 10 == 0 ? test : train).add(all.instance(i));
      }
      start = cpu();
      Classifier c = classifier(args[0]);
      c.buildClassifier(train);
      for (int i = 0; i < test.numInstances(); i++) {
        if (c.classifyInstance(test.instance(i)) == test.instance(i).classValue()) {
          correct++;
        }
      }
    }
    System.out.println((cpu() - start) + " " + correct);
  }
}
