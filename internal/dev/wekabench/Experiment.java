import java.io.File;
import javax.swing.DefaultListModel;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.lazy.IBk;
import weka.classifiers.trees.J48;
import weka.experiment.CSVResultListener;
import weka.experiment.ClassifierSplitEvaluator;
import weka.experiment.CrossValidationResultProducer;
import weka.experiment.PropertyNode;

/**
 * Runs repeated 10-fold cross-validation of naive Bayes, C4.5 and nearest
 * neighbour in Weka's Experimenter, set up as its simple panel does.
 *
 * Usage: java Experiment RUNS OUTPUT.csv DATA.arff...
 */
public class Experiment {
  public static void main(String[] args) throws Exception {
    int runs = Integer.parseInt(args[0]);

    ClassifierSplitEvaluator evaluator = new ClassifierSplitEvaluator();
    CrossValidationResultProducer producer = new CrossValidationResultProducer();
    producer.setNumFolds(10);
    producer.setSplitEvaluator(evaluator);

    // The classifier is a property of the evaluator, which is one of the producer.
    PropertyNode[] path = {
      new PropertyNode(evaluator,
          new java.beans.PropertyDescriptor("splitEvaluator", CrossValidationResultProducer.class),
          CrossValidationResultProducer.class),
      new PropertyNode(evaluator.getClassifier(),
          new java.beans.PropertyDescriptor("classifier", ClassifierSplitEvaluator.class),
          ClassifierSplitEvaluator.class),
    };

    DefaultListModel files = new DefaultListModel();
    for (int i = 2; i < args.length; i++) {
      files.addElement(new File(args[i]));
    }

    CSVResultListener listener = new CSVResultListener();
    listener.setOutputFile(new File(args[1]));

    weka.experiment.Experiment experiment = new weka.experiment.Experiment();
    experiment.setResultProducer(producer);
    experiment.setResultListener(listener);
    experiment.setDatasets(files);
    experiment.setRunLower(1);
    experiment.setRunUpper(runs);
    experiment.setUsePropertyIterator(true);
    experiment.setPropertyPath(path);
    experiment.setPropertyArray(new Classifier[] {new NaiveBayes(), new J48(), new IBk()});

    experiment.initialize();
    experiment.runExperiment();
    experiment.postProcess();
  }
}
