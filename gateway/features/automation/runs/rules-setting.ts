import { type Sql, sql } from '../../../kernel/db.ts'

export interface SetDevice {
  tenant: string
  homeId: string
  uid: string
  roomId: number
}

/** Condition that automation a has actions that name a device, its room, one of its groups, or a scene that sets it. */
export const rulesSetting = ({ tenant, homeId, uid, roomId }: SetDevice): Sql => {
  const groups = sql`select m.group_id from group_members m join groups g using (tenant, group_id)
    where m.tenant = ${tenant} and g.home_id = ${homeId} and m.peripheral_uid = ${uid}`
  return sql`exists (select from automation_subjects s
    where s.tenant = a.tenant and s.automation_id = a.automation_id and s.role = 'action'
      and (s.kind, s.subject) in (
        select 'device', ${uid}::text union all select 'room', ${String(roomId)}::text
        union all select 'group', m.group_id from (${groups}) m
        union all select 'scene', c.scene_id from scenes c where c.tenant = ${tenant} and c.home_id = ${homeId} and (
          c.actions @> ${JSON.stringify([{ PeripheralUID: uid }])}::jsonb
          or c.actions @> ${JSON.stringify([{ RoomID: roomId }])}::jsonb
          or exists (select from (${groups}) m
            where c.actions @> jsonb_build_array(jsonb_build_object('GroupID', m.group_id))))))`
}
