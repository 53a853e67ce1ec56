-- Tariffs of a company's own, versions as in contract/rules/tariff.ts; the plans built in are in the code.
create table tariffs (
  tenant uuid not null references companies on delete cascade,
  tariff_id text not null,
  tariff_name text not null,
  versions jsonb not null,
  primary key (tenant, tariff_id)
);
create unique index tariffs_name on tariffs (tenant, lower(tariff_name));

-- Which tariff a home has when, and what it has agreed on. Dates are texts as on the wire; the last is inclusive.
create table home_tariffs (
  tenant uuid not null,
  home_id text not null,
  valid_from text not null,
  valid_through text,
  plan_id text not null,
  capacities jsonb not null,
  phases text not null,
  power_factor double precision,
  billing_day integer not null,
  billing_months integer not null,
  first_month integer not null,
  primary key (tenant, home_id, valid_from),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create index home_tariffs_plan on home_tariffs (tenant, plan_id);

-- Off-peak days that a company says otherwise than the list.
create table off_peak_days (
  tenant uuid not null references companies on delete cascade,
  date text not null,
  is_off_peak boolean not null,
  primary key (tenant, date)
);

-- kg CO2e per kWh that a company says instead of the published factor of a year.
create table carbon_factors (
  tenant uuid not null references companies on delete cascade,
  year integer not null,
  factor double precision not null,
  primary key (tenant, year)
);
