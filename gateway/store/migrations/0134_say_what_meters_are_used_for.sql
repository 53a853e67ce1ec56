-- What a meter's energy is used for: air conditioning, lighting or something else. Until somebody says so it is told by its name.
alter table meter_facts drop constraint meter_facts_fact_check;
alter table meter_facts add constraint meter_facts_fact_check
  check (fact in ('role', 'room', 'parent', 'use', 'terms', 'limit', 'rated', 'learnt'));
