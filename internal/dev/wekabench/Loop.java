import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintWriter;
import java.util.Random;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.lazy.IBk;
import weka.classifiers.trees.J48;
import weka.core.Instances;

/**
 * Runs repeated 10-fold cross-validation of naive Bayes, C4.5 and nearest
 * neighbour on the folds of Weka's Experimenter, and nothing beside it: train,
 * classify, count, write a line.
 *
 * Usage: java Loop RUNS OUTPUT.csv DATA.arff...
 */
public class Loop {
  private static final int FOLDS = 10;

  public static void main(String[] args) throws Exception {
    int runs = Integer.parseInt(args[0]);
    try (PrintWriter out = new PrintWriter(args[1], "UTF-8")) {
      out.println("Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Number_of_training_instances,Number_of_testing_instances,Number_correct");
      for (int i = 2; i < args.length; i++) {
        Instances data;
        try (BufferedReader in = new BufferedReader(new FileReader(args[i]))) {
          data = new Instances(in);
        }
        data.setClassIndex(data.numAttributes() - 1);
        for (int run = 1; run <= runs; run++) {
          crossValidate(data, run, out);
        }
      }
      if (out.checkError()) {
        throw new java.io.IOException("cannot write " + args[1]);
      }
    }
  }

  private static void crossValidate(Instances data, int run, PrintWriter out) throws Exception {
    String name = "'" + data.relationName().replace("\\", "\\\\").replace("'", "\\'") + "'";
    Instances all = new Instances(data);
    Random random = new Random(run);
    all.randomize(random);
    all.stratify(FOLDS);
    for (int f = 0; f < FOLDS; f++) {
      Instances train = all.trainCV(FOLDS, f, random);
      Instances test = all.testCV(FOLDS, f);
      for (Classifier c : new Classifier[] {new NaiveBayes(), new J48(), new IBk()}) {
        c.buildClassifier(train);
        int correct = 0;
        for (int j = 0; j < test.numInstances(); j++) {
          if (best(c.distributionForInstance(test.instance(j))) == test.instance(j).classValue()) {
            correct++;
          }
        }
        out.println(name + "," + run + "," + (f + 1) + "," + c.getClass().getName() + ","
            + train.numInstances() + "," + test.numInstances() + "," + correct);
      }
    }
  }

  /** Returns the first class of the greatest positive probability, or -1. */
  private static int best(double[] distribution) {
    int best = -1;
    double most = 0;
    for (int c = 0; c < distribution.length; c++) {
      if (distribution[c] > most) {
        most = distribution[c];
        best = c;
      }
    }
    return best;
  }
}
