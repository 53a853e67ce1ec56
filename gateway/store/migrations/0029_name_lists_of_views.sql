-- Views are of more lists than that of devices: each says which.
update personal_configs set saved_views = (
  select jsonb_agg(jsonb_build_object('List', 'device') || view order by place)
  from jsonb_array_elements(saved_views) with ordinality as views (view, place))
where saved_views <> '[]';
