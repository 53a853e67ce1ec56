-- Page that a person sees first; null until they choose one.
alter table personal_configs add column start_page text;
