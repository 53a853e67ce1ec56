-- What a home means to use at most: kWh of a month or a bill, or NT$ of a bill.
create table home_budgets (
  tenant uuid not null,
  home_id text not null,
  unit text not null check (unit in ('kWh', 'TWD')),
  period text not null check (period in ('month', 'bill')),
  amount double precision not null check (amount > 0),
  primary key (tenant, home_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade,
  check (unit = 'kWh' or period = 'bill')
);
