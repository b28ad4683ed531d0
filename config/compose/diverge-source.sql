-- An order that will not arrive.
INSERT INTO orders (customer_id, total, note) VALUES (1, 99.99, 'lost on the way')
RETURNING id AS "the pipeline loses the order with this id";
