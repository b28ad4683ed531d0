#!/bin/sh
# Writes to the source until it is stopped.
set -eu
while true; do
  psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --file /compose/workload.sql
  sleep 1
done
