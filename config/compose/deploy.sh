#!/bin/bash
# Deploys the sample pipeline and Walproof, waits until all of it runs, and says where to look.
set -euo pipefail
connect=http://connect:8083
connectors="pipeline-source pipeline-sink walproof-source walproof-verifier"

for name in $connectors; do
  echo "deploying $name"
  curl --fail-with-body --silent --show-error --output /dev/null --retry 10 --retry-all-errors \
    --request PUT --header 'Content-Type: application/json' \
    --data-binary "@/config/$name.json" "$connect/connectors/$name/config"
done

for name in $connectors; do
  tries=0
  # The connector and its one task: two states.
  until status=$(curl --silent "$connect/connectors/$name/status") &&
    [ "$(grep --only-matching '"state":"RUNNING"' <<<"$status" | wc --lines)" -ge 2 ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 120 ]; then
      echo "$name does not run: $status" >&2
      exit 1
    fi
    sleep 1
  done
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
