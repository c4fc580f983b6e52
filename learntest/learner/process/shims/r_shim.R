# Serves a model of R that has a formula and predict: Rscript r_shim.R PACKAGE::FUNCTION [PARAMETER=VALUE ...]
# as in rpart::rpart minsplit=5 predict.type=prob. Values are R expressions, or texts if they
# are none or functions; parameters that start with "predict." are for predict.
answers <- file("/dev/stdout", "w", raw = TRUE)
sink(stderr()) # whatever else is printed
arguments <- commandArgs(trailingOnly = TRUE)
learn <- eval(parse(text = arguments[1]))
given <- lapply(sub("^[^=]*=", "", arguments[-1]), function(text) {
  value <- tryCatch(eval(parse(text = text), baseenv()), error = function(e) text)
  if (is.function(value)) text else value
})
names(given) <- sub("=.*", "", arguments[-1])
later <- grepl("^predict\\.", names(given))
predicting <- setNames(given[later], substring(names(given)[later], 9))
tables <- list()
text <- function(s) jsonlite::toJSON(jsonlite::unbox(s))
number <- function(x) ifelse(is.na(x), "null", sprintf("%.17g", x)) # jsonlite keeps 15 digits
array <- function(x) paste0("[", paste(x, collapse = ","), "]")

table <- function(m) {
  data <- Map(function(a, x) if (is.null(a$values)) as.numeric(x) else factor(a$values[as.integer(x) + 1], a$values), m$attributes, m$columns)
  names(data) <- make.unique(make.names(sapply(m$attributes, function(a) a$name)))
  tables[[m$table]] <<- list(data = as.data.frame(data), classes = m$target$values)
  NULL
}
fit <- function(m, t, data) {
  model <<- NULL
  data$.target <- if (is.null(t$classes)) m$labels else droplevels(factor(t$classes[m$labels + 1], t$classes))
  data$.weights <- m$weights
  set.seed(m$seed31)
  model <<- eval(as.call(c(learn, reformulate(names(t$data), ".target"), data = quote(data), given[!later], if (!is.null(m$weights)) list(weights = quote(.weights)))))
  gives <<- if (is.null(t$classes)) "values" else if (is.matrix(guess(t$data[m$rows[1] + 1, , drop = FALSE]))) "probabilities" else "labels"
  sprintf('"gives":"%s"', gives)
}
guess <- function(data) if (is.list(p <- do.call(predict, c(list(model, data), predicting)))) p$posterior else p # of lda
forecast <- function(t, data) {
  p <- guess(data)
  if (gives == "labels") p <- match(as.character(p), t$classes) - 1
  if (anyNA(p) || NROW(p) != nrow(data)) stop("predict returns NA, what is no class, or leaves examples out")
  if (gives != "probabilities") return(sprintf('"%s":%s', gives, array(number(p))))
  all <- matrix(0, nrow(p), length(t$classes), dimnames = list(NULL, t$classes))
  all[, colnames(p)] <- p # classes that were absent have probability 0
  paste0('"probabilities":', array(apply(all, 1, function(row) array(number(row)))))
}
hello <- function(m) sprintf('"protocol":1,"name":%s,"predicts":["classes","numbers"],"tables":true,"weights":%s,"numbers":%s',
  text(paste0(arguments[1], ", R ", getRversion())), tolower("weights" %in% names(formals(learn))), array(number(m$numbers)))

input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  id <- "null"
  answer <- tryCatch({
    m <- jsonlite::fromJSON(line, simplifyDataFrame = FALSE, simplifyMatrix = FALSE)
    id <- number(m$id)
    if (m$op %in% c("fit", "predict")) data <- (t <- tables[[m$table]])$data[m$rows + 1, , drop = FALSE]
    switch(m$op, hello = hello(m), table = table(m), fit = fit(m, t, data), predict = forecast(t, data), stop("unknown op ", m$op))
  }, error = function(e) paste0('"error":', text(conditionMessage(e))))
  cat(sprintf("{%s}\n", paste(c(paste0('"id":', id), answer), collapse = ",")), file = answers)
  flush(answers)
}
