-- Makes the target lose what it is told to: a fault that no component reports.
CREATE OR REPLACE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE WHEN NEW.note = 'lost on the way' THEN NULL ELSE NEW END;
END
$$;
CREATE OR REPLACE TRIGGER lose BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION lose();
