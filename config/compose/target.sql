-- The sample's target: the same tables, written by the pipeline, read by Walproof.
CREATE TABLE customers (
  id    bigint PRIMARY KEY,
  name  text NOT NULL,
  email text
);
CREATE TABLE orders (
  id          bigint PRIMARY KEY,
  customer_id bigint NOT NULL,
  total       numeric(12, 2) NOT NULL,
  note        text,
  placed_at   timestamptz NOT NULL
);

CREATE ROLE walproof LOGIN PASSWORD 'walproof';
GRANT SELECT ON customers, orders TO walproof;

CREATE ROLE pipeline LOGIN PASSWORD 'pipeline';
GRANT SELECT, INSERT, UPDATE, DELETE ON customers, orders TO pipeline;
