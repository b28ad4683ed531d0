#!/bin/sh
# Makes the sample pipeline lose one row.
set -eu
psql="psql --no-psqlrc --quiet --set ON_ERROR_STOP=1"
$psql --host target --file /compose/diverge-target.sql
$psql --host source --file /compose/diverge-source.sql
echo "Within a minute the topic shop.verify has a decision on it, with the outcome 'unresolved'."
