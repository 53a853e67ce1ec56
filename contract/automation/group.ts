import { z } from 'zod'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { GroupID, HomeID, Name, PeripheralType, PeripheralUID, Version } from '../kernel/scalars.ts'

export const MAX_GROUP_DEVICES = 100
export const MAX_GROUPS = 200

/**
 * Devices of one type that are controlled as one (§3, §5). The state of a group is derived from its members, not stored.
 *
 * PeripheralList  unique, all of one type; signal-light sensors (515) are adjacent; empty only after the last member was removed
 * GroupType       type of its devices; kept when the last of them is removed
 */
export const Group = z.object({
  HomeID,
  GroupID,
  GroupName: Name,
  PeripheralList: z.array(PeripheralUID).max(MAX_GROUP_DEVICES),
  GroupType: PeripheralType,
  Version,
})
export type Group = z.infer<typeof Group>

export const GroupKey = Group.pick({ HomeID: true, GroupID: true })
export type GroupKey = z.infer<typeof GroupKey>

const Members = z
  .array(PeripheralUID)
  .min(1, 'required')
  .max(MAX_GROUP_DEVICES, 'tooManyDevices')
  .superRefine((uids, context) => {
    for (const [i, uid] of uids.entries())
      if (uids.indexOf(uid) < i) context.addIssue({ code: 'custom', path: [i], message: 'taken' })
  })
const Given = Group.pick({ HomeID: true, GroupName: true }).extend({ PeripheralList: Members })

export const group = defineResource({
  name: 'group',
  scope: 'home',
  feature: 'group',
  record: Group,
  key: ['GroupID'],
  events: eventsOf(GroupKey, Group),
  operations: {
    list: {
      path: '/GetGroupByHomeId',
      summary: "A home's groups by name.",
      input: Group.pick({ HomeID: true }),
      results: z.array(Group),
      errors: ['NOT_FOUND'],
      shows: ['peripheral'],
    },
    create: {
      path: '/CreateGroup',
      summary:
        'Adds a group of devices of one type (oneType); signal-light sensors must be adjacent (notAdjacent). At most 200 per home.',
      input: Given,
      results: Group,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateGroup',
      summary:
        'Renames a group or changes its devices. If scenes or automations set the group, changing its devices also requires device_control Control. Omitted fields keep their values. Rejected if Version is given and outdated.',
      input: GroupKey.extend(Given.omit({ HomeID: true }).partial().shape).extend({
        Version: Version.optional(),
      }),
      results: Group,
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
      // Scenes and automations that set the group now set other devices.
      changes: ['scene', 'automation'],
    },
    remove: {
      path: '/DeleteGroup',
      summary: 'Deletes a group; its devices remain. Rejected (used) while a scene or an automation uses it.',
      input: GroupKey,
      results: GroupKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
  },
})
