-- Acknowledgements and shelvings that a person withdrew, oldest first: [{Act, By, At, Text, WithdrawnBy, WithdrawnAt}].
alter table alarms add column withdrawn jsonb not null default '[]';
