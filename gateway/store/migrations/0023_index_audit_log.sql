-- The audit page filters by person and by call.
create index audit_log_person on audit_log (tenant, cognito_id, at desc);
create index audit_log_path on audit_log (tenant, path, at desc);
