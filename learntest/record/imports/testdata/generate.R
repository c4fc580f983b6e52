# Writes the file of mlr3 that the importer is tested with: real scores of rpart and
# of naive Bayes (e1071), with the partitions of mlr3's repeated_cv, in the columns that
# the method score of a BenchmarkResult gives to them and as data.table's fwrite writes them.
# mlr3 itself was not at hand. It needs R with data.table (1.14.8 was used), rpart and e1071.
#
# Usage: Rscript generate.R FILE.csv
library(data.table)
set.seed(1)
folds <- 5L
repeats <- 2L
n <- nrow(iris)
fit <- list(
  classif.rpart = function(d) { m <- rpart::rpart(Species ~ ., d); function(x) predict(m, x, type = "class") },
  classif.naive_bayes = function(d) { m <- e1071::naiveBayes(Species ~ ., d); function(x) predict(m, x) }
)
parts <- lapply(seq_len(repeats), function(i) sample(seq_len(n) %% folds + 1L))
scores <- rbindlist(lapply(seq_along(fit), function(nr) rbindlist(lapply(seq_len(repeats * folds), function(i) {
  fold <- parts[[(i - 1L) %/% folds + 1L]] == (i - 1L) %% folds + 1L
  p <- fit[[nr]](iris[!fold, ])(iris[fold, ])
  data.table(nr = nr, task_id = "iris", learner_id = names(fit)[nr], resampling_id = "repeated_cv", iteration = i,
    classif.acc = mean(p == iris$Species[fold]), classif.ce = mean(p != iris$Species[fold]))
}))))
fwrite(scores, commandArgs(TRUE)[1])
