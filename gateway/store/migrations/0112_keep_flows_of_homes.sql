-- What goes through a home is kept by part: 0 what it used, 1 what it bought, 2 sold, 3 generated, 4 took out of a battery and 5 put
-- into one (contract/rules/meter/meter-roles.ts). A home without meters of a balance has part 0 alone, as before.
alter table home_days add column part smallint not null default 0;
alter table home_days drop constraint home_days_pkey, add primary key (tenant, home_id, part, day);
alter table home_months add column part smallint not null default 0;
alter table home_months drop constraint home_months_pkey, add primary key (tenant, home_id, part, month);
-- Of part 0: where the energy of the month's quarters went, kWh, SOURCES x USES (contract/rules/energy/balance.ts); null of a home
-- without a balance.
alter table home_months add column flows double precision[];

-- NT$ per kWh that is sold; null where no price is known.
alter table home_tariffs add column feed_in double precision;
