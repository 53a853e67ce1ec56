-- What a person put away of getting started, as PersonalConfig.Setup; null before they did.
alter table personal_configs add column setup jsonb;
