-- Through which push service a browser is reached: the host of its endpoint, which tells nobody how to write to it. Null until a
-- browser that was there before registers again, as it does at each start of the screens.
alter table push_subscriptions add column service text;
