# A learner that predicts the first class, whatever it was trained on.
fitted=false
while IFS= read -r line; do
	id=${line#*\"id\":}
	id=${id%%[,\}]*}
	case $line in
	[!{]*) printf '{"id":null,"error":"no JSON"}\n' ;;
	*'"op":"hello"'*)
		numbers=${line#*\"numbers\":[}
		printf '{"id":%s,"protocol":1,"name":"constant","predicts":["classes"],"tables":true,"numbers":[%s]}\n' "$id" "${numbers%%]*}"
		;;
	*'"op":"table"'*) printf '{"id":%s}\n' "$id" ;;
	*'"op":"fit"'*)
		fitted=true
		printf '{"id":%s,"gives":"labels"}\n' "$id"
		;;
	*'"op":"predict"'*)
		rows=${line#*\"rows\":[}
		if $fitted; then
			printf '{"id":%s,"labels":[%s]}\n' "$id" "$(printf %s "${rows%%]*}" | tr -s 0-9 0)"
		else
			printf '{"id":%s,"error":"predict comes after fit"}\n' "$id"
		fi
		;;
	*) printf '{"id":%s,"error":"no such op"}\n' "$id" ;;
	esac
done
