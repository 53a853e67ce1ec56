-- Whether a counter runs both ways was accepted and changed nothing: every counter counts up, and a meter of both directions has a
-- second register.
delete from meter_facts where fact = 'counts';
alter table meter_facts drop constraint meter_facts_fact_check;
alter table meter_facts add constraint meter_facts_fact_check
  check (fact in ('role', 'room', 'parent', 'terms', 'limit', 'rated', 'learnt'));
