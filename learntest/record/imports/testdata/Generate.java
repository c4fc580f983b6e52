import java.io.File;
import java.io.FileReader;
import java.io.PrintWriter;
import java.util.Locale;
import javax.swing.DefaultListModel;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.functions.LinearRegression;
import weka.classifiers.rules.ZeroR;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.Range;
import weka.experiment.CSVResultListener;
import weka.experiment.ClassifierSplitEvaluator;
import weka.experiment.CrossValidationResultProducer;
import weka.experiment.InstancesResultListener;
import weka.experiment.PairedCorrectedTTester;
import weka.experiment.PairedStats;
import weka.experiment.PropertyNode;
import weka.experiment.RandomSplitResultProducer;
import weka.experiment.RegressionSplitEvaluator;
import weka.experiment.ResultProducer;

/**
 * Writes the files of Weka's Experimenter that the importers are tested with, and
 * the p-values of its corrected paired t-tester on them.
 *
 * Usage: java Generate OUTPUT.DIR DATA.arff... NUMBERS.arff, where the last has a numeric class. Those
 * of Debian's package weka 3.6.14 were used: labor.arff, iris.arff, cpu.arff.
 */
public class Generate {
  public static void main(String[] args) throws Exception {
    String dir = args[0] + File.separator;
    DefaultListModel files = new DefaultListModel();
    for (int i = 1; i < args.length - 1; i++) {
      files.addElement(new File(args[i]));
    }
    CrossValidationResultProducer folds = new CrossValidationResultProducer();
    folds.setNumFolds(5);
    CSVResultListener csv = new CSVResultListener();
    csv.setOutputFile(new File(dir + "experiment.csv"));
    run(folds, CrossValidationResultProducer.class, csv, files, 1, 3);
    folds = new CrossValidationResultProducer();
    folds.setNumFolds(5);
    InstancesResultListener arff = new InstancesResultListener();
    arff.setOutputFile(new File(dir + "experiment.arff"));
    run(folds, CrossValidationResultProducer.class, arff, files, 1, 3);
    csv = new CSVResultListener();
    csv.setOutputFile(new File(dir + "split.csv"));
    RandomSplitResultProducer split = new RandomSplitResultProducer();
    split.setTrainPercent(66.0);
    DefaultListModel first = new DefaultListModel();
    first.addElement(files.get(0));
    run(split, RandomSplitResultProducer.class, csv, first, 1, 5);
    test(dir);
    regression(dir, args[args.length - 1]);
  }

  static void regression(String dir, String data) throws Exception {
    RegressionSplitEvaluator evaluator = new RegressionSplitEvaluator();
    evaluator.setClassifier(new LinearRegression());
    CrossValidationResultProducer folds = new CrossValidationResultProducer();
    folds.setNumFolds(3);
    folds.setSplitEvaluator(evaluator);
    CSVResultListener csv = new CSVResultListener();
    csv.setOutputFile(new File(dir + "regression.csv"));
    DefaultListModel files = new DefaultListModel();
    files.addElement(new File(data));
    weka.experiment.Experiment experiment = new weka.experiment.Experiment();
    experiment.setResultProducer(folds);
    experiment.setResultListener(csv);
    experiment.setDatasets(files);
    experiment.setRunLower(1);
    experiment.setRunUpper(2);
    experiment.setUsePropertyIterator(false);
    experiment.initialize();
    experiment.runExperiment();
    experiment.postProcess();
  }

  static void run(ResultProducer producer, Class<?> type, weka.experiment.ResultListener listener, DefaultListModel files, int lower, int upper)
      throws Exception {
    ClassifierSplitEvaluator evaluator = new ClassifierSplitEvaluator();
    if (producer instanceof CrossValidationResultProducer) {
      ((CrossValidationResultProducer) producer).setSplitEvaluator(evaluator);
    } else {
      ((RandomSplitResultProducer) producer).setSplitEvaluator(evaluator);
    }
    PropertyNode[] path = {
      new PropertyNode(evaluator, new java.beans.PropertyDescriptor("splitEvaluator", type), type),
      new PropertyNode(evaluator.getClassifier(),
          new java.beans.PropertyDescriptor("classifier", ClassifierSplitEvaluator.class),
          ClassifierSplitEvaluator.class),
    };
    weka.experiment.Experiment experiment = new weka.experiment.Experiment();
    experiment.setResultProducer(producer);
    experiment.setResultListener(listener);
    experiment.setDatasets(files);
    experiment.setRunLower(lower);
    experiment.setRunUpper(upper);
    experiment.setUsePropertyIterator(true);
    experiment.setPropertyPath(path);
    experiment.setPropertyArray(new Classifier[] {new J48(), new NaiveBayes(), new ZeroR()});
    experiment.initialize();
    experiment.runExperiment();
    experiment.postProcess();
  }

  /** Compares each two result sets on each data set, as the panel "Analyse" does. */
  static void test(String dir) throws Exception {
    Instances results = new Instances(new FileReader(dir + "experiment.arff"));
    PairedCorrectedTTester tester = new PairedCorrectedTTester();
    tester.setInstances(results);
    String column = "";
    for (String name : new String[] {"Key_Scheme", "Key_Scheme_options", "Key_Scheme_version_ID"}) {
      column += (column.isEmpty() ? "" : ",") + (results.attribute(name).index() + 1);
    }
    tester.setResultsetKeyColumns(new Range(column));
    tester.setDatasetKeyColumns(new Range("" + (results.attribute("Key_Dataset").index() + 1)));
    tester.setRunColumn(results.attribute("Key_Run").index());
    tester.setFoldColumn(results.attribute("Key_Fold").index());
    tester.setSignificanceLevel(0.05);
    PrintWriter out = new PrintWriter(dir + "ttest.csv");
    out.println("data,a,b,measure,n,difference,p,significance");
    for (int d = 0; d < tester.getNumDatasets(); d++) {
      for (int a = 0; a < tester.getNumResultsets(); a++) {
        for (int b = 0; b < tester.getNumResultsets(); b++) {
          if (a == b) {
            continue;
          }
          for (String measure : new String[] {"Percent_correct", "Kappa_statistic", "Root_mean_squared_error"}) {
            PairedStats s = tester.calculateStatistics(dataset(results, d), a, b, results.attribute(measure).index());
            out.println(dataset(results, d).stringValue(results.attribute("Key_Dataset")) + "," + name(tester, a) + "," + name(tester, b) + ","
                + measure + "," + (int) s.count + "," + s.differencesStats.mean + "," + s.differencesProbability + "," + s.differencesSignificance);
          }
        }
      }
    }
    out.close();
  }

  static String name(PairedCorrectedTTester tester, int i) {
    return tester.getResultsetName(i).replace(",", ";");
  }

  static weka.core.Instance dataset(Instances results, int d) {
    String last = null;
    int seen = -1;
    for (int i = 0; i < results.numInstances(); i++) {
      String name = results.instance(i).stringValue(results.attribute("Key_Dataset"));
      if (!name.equals(last)) {
        seen++;
        last = name;
      }
      if (seen == d) {
        return results.instance(i);
      }
    }
    throw new IllegalStateException();
  }
}
