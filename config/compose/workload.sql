-- One second of the sample's traffic: an order is placed, another one changes, an old one goes.
INSERT INTO orders (customer_id, total, note)
SELECT 1 + floor(random() * 20)::bigint, round((random() * 500)::numeric, 2), 'placed';
UPDATE orders SET total = total + 1, note = 'changed'
 WHERE id = (SELECT id FROM orders ORDER BY random() LIMIT 1);
DELETE FROM orders WHERE id = (SELECT min(id) FROM orders HAVING count(*) > 1000);
UPDATE customers SET email = name || '.' || (random() * 1000)::int || '@example.net'
 WHERE id = 1 + floor(random() * 20)::bigint;
