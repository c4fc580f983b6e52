# Writes diebold_mariano.json: Rscript diebold_mariano.R > diebold_mariano.json
#
# The forecasts are those of the examples of help(dm.test). dm.test takes errors
# and makes losses of them, abs(e)^power; the square root of a loss as the
# error, with power 2, makes that loss of it.
suppressMessages(library(forecast))
options(warn = 2) # a negative variance is a warning: such a case is none

numbers <- function(x) paste(sprintf("%.17g", x), collapse = ",")
source <- sprintf("%s, forecast %s: dm.test", sub(" \\(.*", "", R.version.string), packageVersion("forecast"))
first <- TRUE

case <- function(id, l1, l2, h) {
  d <- l1 - l2
  r <- sapply(c("two.sided", "greater", "less"), function(a) dm.test(sqrt(l1), sqrt(l2), alternative = a, h = h)$p.value)
  s <- dm.test(sqrt(l1), sqrt(l2), h = h)$statistic
  cat(if (first) "[\n" else ",\n")
  first <<- FALSE
  cat(sprintf(paste0('{"id":"diebold_mariano/%s_h%d","procedure":"diebold_mariano","input":{"d":[%s],"h":%d},',
    '"expected":{"statistic":%.17g,"df":%d,"p_two_sided":%.17g,"p_greater":%.17g,"p_less":%.17g},',
    '"tolerance":{"rel":1e-10,"abs":1e-15},"source":"%s"}'),
    id, h, numbers(d), h, s, length(d) - 1, r[1], r[2], r[3], source))
}

cases <- function(id, e1, e2, hs) {
  e1 <- c(e1)
  e2 <- c(e2)
  for (h in hs) {
    case(paste0(id, "_squares"), e1^2, e2^2, h)
    case(paste0(id, "_absolutes"), abs(e1), abs(e2), h)
  }
}

f1 <- ets(WWWusage)
f2 <- auto.arima(WWWusage)
cases("in_sample", residuals(f1), residuals(f2), c(1, 3, 10))

f1 <- ets(WWWusage[1:80])
f2 <- auto.arima(WWWusage[1:80])
f1.out <- suppressMessages(ets(WWWusage[81:100], model = f1))
f2.out <- Arima(WWWusage[81:100], model = f2)
cases("out_of_sample", residuals(f1.out), residuals(f2.out), c(1, 2, 5, 10))

case("short", c(0.25, 0.5, 0.125, 0.375, 0.75), c(0.5, 0.25, 0.25, 0.25, 0.5), 1)
case("short", c(0.25, 0.5, 0.125, 0.375, 0.75), c(0.25, 0.25, 0.25, 0.25, 0.25), 2)
case("shortest", c(1, 3), c(0.5, 0.5), 1)
case("most_lags", c(2, 3, 5, 4, 6, 8), c(1, 1, 1, 1, 1, 1), 5)
cat("\n]\n")
