import java.io.*;
import java.util.*;
import java.util.stream.*;
import weka.classifiers.Classifier;
import weka.core.*;

/** Serves a classifier of Weka: java -cp weka.jar WekaShim.java weka.classifiers.trees.J48 [OPTION ...] */
@SuppressWarnings({"unchecked", "rawtypes"})
class WekaShim {
	static Object json(StreamTokenizer in) throws IOException { // null, a list, a map, or the text of anything else
		int start = in.nextToken();
		if (start == '"' || start == StreamTokenizer.TT_WORD) return start != '"' && in.sval.equals("null") ? null : in.sval;
		if (start != '[' && start != '{') throw new IOException("this is no JSON");
		Map map = new LinkedHashMap(); // a list has its indices as keys
		for (; in.nextToken() != start + 2; map.put(start == '[' ? map.size() : json(in), json(in))) in.pushBack(); // ']' is '[' + 2
		return start == '[' ? new ArrayList(map.values()) : map;
	}
	static Instances table(List<Map> attributes, List<List> columns) throws IOException { // through ARFF
		StringBuilder arff = new StringBuilder("@relation table\n");
		for (Map a : attributes) // nominal values are called by their indices
			arff.append("@attribute a" + arff.length() + (a.get("values") instanceof List v ? IntStream.range(0, v.size()).mapToObj(i -> "" + i).collect(Collectors.joining(",", " {", "}\n")) : " numeric\n"));
		arff.append("@data\n");
		for (int i = 0; i < columns.get(0).size(); i++, arff.append("?\n")) for (List c : columns) arff.append(c.get(i) == null ? "?" : c.get(i)).append(',');
		Instances table = new Instances(new StringReader(arff.toString()));
		table.setClassIndex(columns.size());
		return table;
	}
	static Classifier make(String[] args) throws Exception {
		return (Classifier) Utils.forName(Classifier.class, args[0], Arrays.copyOfRange(args, 1, args.length));
	}
	static List<String> predicts(Capabilities can) {
		boolean classes = can.handles(Capabilities.Capability.NOMINAL_CLASS) || can.handles(Capabilities.Capability.BINARY_CLASS);
		return Stream.of(classes ? "\"classes\"" : "", can.handles(Capabilities.Capability.NUMERIC_CLASS) ? "\"numbers\"" : "").filter(x -> !x.isEmpty()).toList();
	}
	public static void main(String[] args) throws IOException {
		PrintStream answers = System.out;
		System.setOut(System.err); // whatever else is printed
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
		Map<Object, Instances> tables = new HashMap<>();
		Classifier model = null;
		for (String line, id = null, text = ""; (line = lines.readLine()) != null; answers.println("{\"id\":" + id + text + "}"), id = null, text = "") try {
			StreamTokenizer in = new StreamTokenizer(new StringReader(line));
			in.resetSyntax(); in.whitespaceChars(0, ' '); in.wordChars('!', 'Z'); in.wordChars('a', 'z'); in.whitespaceChars(',', ','); in.whitespaceChars(':', ':'); in.quoteChar('"');
			Map m = (Map) json(in);
			id = (String) m.get("id");
			Instances table = tables.get(m.get("table")), some = table == null ? null : new Instances(table, 0);
			if (m.containsKey("rows")) for (Object row : (List) m.get("rows")) some.add(table.instance(Integer.parseInt((String) row)));
			boolean classes = table != null && table.classAttribute().isNominal();
			if (m.get("op").equals("hello")) text = ",\"protocol\":1,\"predicts\":" + predicts(make(args).getCapabilities()) + ",\"tables\":true,\"name\":\"" + args[0] + "\",\"numbers\":" + ((List<String>) m.get("numbers")).stream().map(x -> x == null ? null : Double.valueOf(x)).toList();
			else if (m.get("op").equals("table")) tables.put(m.get("table"), table(Stream.concat(((List<Map>) m.get("attributes")).stream(), Stream.of((Map) m.get("target"))).toList(), (List) m.get("columns")));
			else if (m.get("op").equals("fit")) {
				for (int i = 0; i < some.numInstances(); i++) some.instance(i).setClassValue(Double.parseDouble(((List<String>) m.get("labels")).get(i)));
				model = make(args);
				if (model instanceof Randomizable r) r.setSeed(Integer.parseInt((String) m.get("seed31")));
				model.buildClassifier(some);
				text = ",\"gives\":\"" + (classes ? "probabilities\"" : "values\"");
			} else if (m.get("op").equals("predict")) {
				StringJoiner all = new StringJoiner(",", classes ? ",\"probabilities\":[" : ",\"values\":[", "]");
				for (int i = 0; i < some.numInstances(); i++) all.add(classes ? Arrays.toString(model.distributionForInstance(some.instance(i))) : "" + model.classifyInstance(some.instance(i)));
				text = all.toString();
			} else throw new IllegalArgumentException("unknown op");
		} catch (Throwable e) {
			text = ",\"error\":\"" + e.toString().replaceAll("[\"\\\\\\p{Cntrl}]", " ") + "\"";
		}
	}
}
