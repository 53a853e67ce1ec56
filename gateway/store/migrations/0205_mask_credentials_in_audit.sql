-- Addresses of webhooks and Teams, their targets, and push subscriptions were written to the audit in clear.
update audit_log set input = input
    || case when input ? 'Address' then '{"Address": "***"}'::jsonb else '{}'::jsonb end
    || case when input ? 'Target' then '{"Target": "***"}'::jsonb else '{}'::jsonb end
  where path in ('/CreateNotificationChannel', '/UpdateNotificationChannel') and (input ? 'Address' or input ? 'Target');
update audit_log set input = jsonb_set(input, '{SubscriptionInfo}', '{"endpoint": "***", "keys": "***"}')
  where path = '/WebPushSubscriptionSetting' and input ? 'SubscriptionInfo';
