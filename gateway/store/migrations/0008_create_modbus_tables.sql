-- How the registers of Modbus devices are read: a company's library; rows as in contract/resources/modbus-table.ts.
create table modbus_tables (
  tenant uuid not null references companies on delete cascade,
  modbus_table_id text not null,
  table_name text not null,
  manufacturer text not null,
  model text not null,
  note text not null,
  rows jsonb not null,
  primary key (tenant, modbus_table_id)
);
create unique index modbus_tables_name on modbus_tables (tenant, lower(table_name));

alter table peripherals
  add column modbus_table_id text,
  add foreign key (tenant, modbus_table_id) references modbus_tables (tenant, modbus_table_id);
create index peripherals_modbus_table on peripherals (tenant, modbus_table_id) where modbus_table_id is not null;
