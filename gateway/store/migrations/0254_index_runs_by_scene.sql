-- The last run of each scene of a list.
create index automation_runs_of_scene on automation_runs (tenant, scene_id, began_at desc) where scene_id is not null;
