-- To ask for the import of every single row took longer than to store it. Rows are only added while their import is held, and
-- go with it by one statement.
alter table meter_import_rows drop constraint meter_import_rows_meter_import_id_fkey;
create function drop_meter_import_rows() returns trigger language plpgsql as $$
begin
  delete from meter_import_rows r using gone where r.meter_import_id = gone.meter_import_id;
  return null;
end $$;
create trigger meter_imports_dropped after delete on meter_imports
  referencing old table as gone for each statement execute function drop_meter_import_rows();
