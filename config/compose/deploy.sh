#!/bin/bash
# Deploys the sample pipeline and Walproof, waits until all of it runs, and says where to look.
set -euo pipefail
connect=${CONNECT_URL:-http://connect:8083}
config=${CONFIG_DIR:-/config}
connectors="pipeline-source pipeline-sink walproof-source walproof-verifier"
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# A worker that is rebalancing answers 409 and one that is busy 5xx; anything else will not mend itself.
deploy() {
  local tries=0 code
  while true; do
    code=$(curl --silent --max-time 60 --output "$answer" --write-out '%{http_code}' \
      --request PUT --header 'Content-Type: application/json' \
      --data-binary "@$config/$1.json" "$connect/connectors/$1/config") || code=000
    case $code in
      2??) return ;;
      409 | 5?? | 000) tries=$((tries + 1)) ;;
      *) tries=1000 ;;
    esac
    if [ "$tries" -gt 60 ]; then
      echo "$1 was not accepted ($code):" >&2
      cat "$answer" >&2
      exit 1
    fi
    sleep 1
  done
}

# The connector and its one task: two states.
await_running() {
  local tries=0 status running
  while true; do
    status=$(curl --silent --max-time 10 "$connect/connectors/$1/status") || status=
    running=$(grep --only-matching '"state":"RUNNING"' <<<"$status" | wc --lines) || true
    if [ "$running" -ge 2 ]; then
      return
    fi
    tries=$((tries + 1))
    if [ "$tries" -gt 120 ]; then
      echo "$1 does not run: $status" >&2
      exit 1
    fi
    sleep 1
  done
}

for name in $connectors; do
  echo "deploying $name"
  deploy "$name"
done
for name in $connectors; do
  await_running "$name"
  echo "$name is running"
done

cat <<'TEXT'

Walproof is watching the pipeline. Where to look:

  verdicts     docker compose exec kafka /opt/kafka/bin/kafka-console-consumer.sh --bootstrap-server kafka:9092 --topic shop.verify --from-beginning
  drift        docker compose exec kafka /opt/kafka/bin/kafka-console-consumer.sh --bootstrap-server kafka:9092 --topic shop.drift --from-beginning
  connectors   curl http://127.0.0.1:8083/connectors?expand=status
  source       docker compose exec source psql -U postgres shop
  target       docker compose exec target psql -U postgres shop

  lose a row   docker compose run --rm diverge
  change a table's shape
               docker compose exec source psql -U postgres shop -c "ALTER TABLE orders ALTER note TYPE varchar(100)"

TEXT
