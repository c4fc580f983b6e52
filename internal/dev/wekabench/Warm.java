import java.io.BufferedReader;
import java.io.FileReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.lazy.IBk;
import weka.classifiers.trees.J48;
import weka.core.Instances;

/**
 * Measures how long training and prediction take once the program is warm.
 *
 * For each data set and classifier, passes over the 10 folds of the first run
 * are repeated until the time is up, and a line is printed with the medians,
 * over the later half of the passes, of the mean nanoseconds of a fold.
 *
 * Usage: java Warm SECONDS DATA.arff...
 */
public class Warm {
  private static final int FOLDS = 10;
  private static final int LEAST_PASSES = 3;

  /** Keeps the predictions from being optimised away. */
  private static volatile double sink;

  public static void main(String[] args) throws Exception {
    double seconds = Double.parseDouble(args[0]);
    for (int i = 1; i < args.length; i++) {
      Instances data;
      try (BufferedReader in = new BufferedReader(new FileReader(args[i]))) {
        data = new Instances(in);
      }
      data.setClassIndex(data.numAttributes() - 1);
      Random random = new Random(1);
      data.randomize(random);
      data.stratify(FOLDS);
      Instances[] train = new Instances[FOLDS];
      Instances[] test = new Instances[FOLDS];
      for (int f = 0; f < FOLDS; f++) {
        train[f] = data.trainCV(FOLDS, f, random);
        test[f] = data.testCV(FOLDS, f);
      }
      for (Classifier c : new Classifier[] {new NaiveBayes(), new J48(), new IBk()}) {
        measure(i - 1, c, train, test, seconds);
      }
    }
  }

  private static void measure(int set, Classifier c, Instances[] train, Instances[] test, double seconds) throws Exception {
    List<Double> fit = new ArrayList<>();
    List<Double> predict = new ArrayList<>();
    long start = System.nanoTime();
    while (fit.size() < LEAST_PASSES || System.nanoTime() - start < seconds * 1e9) {
      long trained = 0;
      long predicted = 0;
      for (int f = 0; f < FOLDS; f++) {
        long a = System.nanoTime();
        c.buildClassifier(train[f]);
        long b = System.nanoTime();
        for (int j = 0; j < test[f].numInstances(); j++) {
          sink = c.distributionForInstance(test[f].instance(j))[0];
        }
        trained += b - a;
        predicted += System.nanoTime() - b;
      }
      fit.add((double) trained / FOLDS);
      predict.add((double) predicted / FOLDS);
    }
    System.out.println("warm " + set + " " + c.getClass().getName() + " " + median(fit) + " " + median(predict));
  }

  private static double median(List<Double> values) {
    List<Double> later = new ArrayList<>(values.subList(values.size() / 2, values.size()));
    Collections.sort(later);
    int n = later.size();
    return (later.get((n - 1) / 2) + later.get(n / 2)) / 2;
  }
}
