# Serves a model of R that has a formula and predict: Rscript r_shim.R PACKAGE::FUNCTION [PARAMETER=VALUE ...]
# as in rpart::rpart minsplit=5 predict.type=prob, with R 4.0 or later. Values are R expressions, or texts if they are none or
# functions; parameters that start with "predict." are for predict.
answers <- file("/dev/stdout", "w", raw = TRUE)
sink(stderr()) # what else is printed
arguments <- commandArgs(trailingOnly = TRUE)
learn <- eval(parse(text = arguments[1]))
value <- function(text) tryCatch(if (is.function(v <- eval(parse(text = text), baseenv()))) text else v, error = function(e) text)
given <- setNames(lapply(sub("^[^=]*=", "", arguments[-1]), value), sub("=.*", "", arguments[-1]))
later <- startsWith(names(given), "predict.")
predicting <- setNames(given[later], substring(names(given)[later], 9))
tables <- list()
text <- function(s) jsonlite::toJSON(s, auto_unbox = TRUE)
number <- function(x) replace(sprintf("%.17g", x), is.na(x), "null") # jsonlite keeps 15 digits
array <- function(x) paste0("[", paste(x, collapse = ","), "]")
pick <- function(data, rows) list2DF(lapply(data, `[`, rows), length(rows)) # faster than data[rows, ]
read <- function(line) { # jsonlite takes milliseconds for lists of a thousand numbers
  start <- regmatches(line, regexec('^\\{"id":([0-9]+),"op":"(fit|predict)","table":([1-4]),"rows":\\[', substr(line, 1, 80)))[[1]]
  parts <- if (length(start) > 0) strsplit(line, '":[', fixed = TRUE)[[1]]
  ends <- regexpr("]", parts, fixed = TRUE)
  lists <- lapply(strsplit(substr(parts, 1, ends - 1)[-1], ",", fixed = TRUE), as.numeric)
  if (length(lists) == 0 || anyNA(lists, recursive = TRUE)) return(jsonlite::fromJSON(line, simplifyDataFrame = FALSE, simplifyMatrix = FALSE))
  seed31 <- as.numeric(sub('.*"seed31":([0-9]+).*|.*', "0\\1", substring(line, nchar(line) - 60)))
  c(list(id = as.numeric(start[2]), op = start[3], table = as.numeric(start[4]), seed31 = seed31), setNames(lists, sub('.*"', "", substring(parts, ends + 1)[-length(parts)])))
}
table <- function(m) {
  data <- Map(function(a, x) if (is.null(a$values)) as.numeric(x) else factor(a$values[as.integer(x) + 1], a$values), m$attributes, m$columns)
  names <- make.unique(make.names(sapply(m$attributes, function(a) a$name)))
  tables[[m$table]] <<- list(data = as.data.frame(setNames(data, names)), classes = m$target$values)
}
fit <- function(m, t, data) {
  model <<- NULL
  data$.weights <- m$weights # if there are any
  data$.target <- if (is.null(t$classes)) m$labels else droplevels(factor(m$labels, seq_along(t$classes) - 1, t$classes))
  set.seed(m$seed31)
  model <<- eval(as.call(c(learn, reformulate(names(t$data), ".target"), data = quote(data), given[!later], if (!is.null(m$weights)) list(weights = quote(.weights)))))
  sprintf('"gives":"%s"', gives <<- if (is.null(t$classes)) "values" else if (is.matrix(guess(pick(t$data, m$rows[1] + 1)))) "probabilities" else "labels")
}
guess <- function(data) if (is.list(p <- do.call(predict, c(list(model, data), predicting)))) p$posterior else p # of lda
forecast <- function(t, data) {
  if (gives == "labels") p <- match(as.character(guess(data)), t$classes) - 1 else p <- guess(data)
  if (anyNA(p) || NROW(p) != nrow(data)) stop("predict returns NA, a value that is no class, or leaves examples out")
  if (gives != "probabilities") return(sprintf('"%s":%s', gives, array(number(p))))
  columns <- lapply(t$classes, function(c) if (c %in% colnames(p)) number(p[, c]) else "0") # of a class that was absent
  paste0('"probabilities":', array(paste0("[", do.call(paste, c(columns, sep = ",")), "]")))
}
hello <- function(m) sprintf('"protocol":1,"name":%s,"predicts":["classes","numbers"],"tables":true,"weights":%s,"numbers":%s',
  text(paste0(arguments[1], ", R ", getRversion())), tolower("weights" %in% names(formals(learn))), array(number(m$numbers)))
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  id <- "null"
  answer <- tryCatch({
    id <- number((m <- read(line))$id)
    if (m$op %in% c("fit", "predict")) data <- pick((t <- tables[[m$table]])$data, m$rows + 1)
    switch(m$op, hello = hello(m), table = { table(m); NULL }, fit = fit(m, t, data), predict = forecast(t, data), stop("unknown op ", m$op))
  }, error = function(e) paste0('"error":', text(conditionMessage(e))))
  cat(sprintf("{%s}\n", paste(c(paste0('"id":', id), answer), collapse = ",")), file = answers)
  flush(answers)
}
