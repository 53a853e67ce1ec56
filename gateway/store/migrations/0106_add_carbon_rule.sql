-- By which factor a company's energy counts: 0.494 in every year, or what is published for each.
alter table companies add column carbon_rule text not null default 'constant' check (carbon_rule in ('constant', 'byYear'));
