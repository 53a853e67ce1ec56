-- A report merged into what is known of a device, as mergeStatus of contract/rules/merge-status.ts does it: fields replace
-- fields, entries of a thermostat's table replace what they say of their own node (§4).
create function merge_status(known jsonb, report jsonb) returns jsonb language sql immutable parallel safe as $$
  select known || report || case
    when jsonb_typeof(known -> 'ThermostatTable') = 'array' and jsonb_typeof(report -> 'ThermostatTable') = 'array'
    then jsonb_build_object('ThermostatTable', (
      select coalesce(jsonb_agg(coalesce(k.node, '{}') || coalesce(r.node, '{}')
        order by coalesce(k.id, r.id)), '[]')
      from (select node, (node ->> 'NodeID')::int as id from jsonb_array_elements(known -> 'ThermostatTable') as node) as k
      full join (select node, (node ->> 'NodeID')::int as id
        from jsonb_array_elements(report -> 'ThermostatTable') as node) as r using (id)))
    else '{}'
  end
$$;

-- What a person may say about a signal tower (§3): see contract/resources/peripheral.ts.
alter table peripherals
  add column light_house_group jsonb,
  add column light_house_threshold integer,
  add column abnormal_blink_rate integer;
