import { z } from 'zod'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { HomeID, Name, SceneID, Version } from '../kernel/scalars.ts'
import { DeviceAction, MAX_ACTIONS, ORDERS } from './action.ts'
import { LastRun } from './run-states.ts'

export const MAX_SCENES = 200

export const SCENE_ICONS = [
  'scene',
  'sun',
  'moon',
  'coffee',
  'meeting',
  'presentation',
  'clean',
  'leave',
  'arrive',
  'climate',
  'safety',
  'factory',
] as const

/** Reference of a scene to something that was deleted: the scene sets the rest, and automations that run it are broken. */
export const SceneProblem = z.object({
  Reason: z.enum(['deviceGone', 'groupGone', 'roomGone']),
  /** A PeripheralUID, GroupID or RoomID. */
  Subject: z.string(),
})
export type SceneProblem = z.infer<typeof SceneProblem>

/** Values for several devices that are set together, by a user or by an automation (§3). */
export const Scene = z.object({
  HomeID,
  SceneID,
  SceneName: Name,
  Icon: z.enum(SCENE_ICONS),
  Actions: z.array(DeviceAction).min(1, 'required').max(MAX_ACTIONS, 'tooManyActions'),
  /** Whether all actions start at the same time, or each after the previous one was confirmed or failed. */
  Order: z.enum(ORDERS),
  /** For inOrder: whether an unconfirmed action skips those after it. */
  StopOnFailure: z.boolean(),
  Version,
  Problem: SceneProblem.optional(),
  /** Outcome of the last run; omitted if it never ran. */
  LastRun: LastRun.optional(),
})
export type Scene = z.infer<typeof Scene>

export const SceneKey = Scene.pick({ HomeID: true, SceneID: true })
export type SceneKey = z.infer<typeof SceneKey>

const Given = Scene.omit({ SceneID: true, Version: true, Problem: true, LastRun: true }).extend({
  Icon: Scene.shape.Icon.default('scene'),
  Order: Scene.shape.Order.default('together'),
  StopOnFailure: Scene.shape.StopOnFailure.default(false),
})
const Changed = Scene.pick({
  SceneName: true,
  Icon: true,
  Actions: true,
  Order: true,
  StopOnFailure: true,
}).partial()

export const scene = defineResource({
  name: 'scene',
  scope: 'home',
  feature: 'scene',
  record: Scene,
  key: ['SceneID'],
  events: eventsOf(SceneKey, Scene),
  operations: {
    list: {
      path: '/GetSceneByHomeId',
      summary: "A home's scenes by name, each with the outcome of its last run.",
      input: Scene.pick({ HomeID: true }),
      results: z.array(Scene),
      errors: ['NOT_FOUND'],
      shows: ['peripheral', 'group', 'room', 'run'],
    },
    create: {
      path: '/CreateScene',
      summary:
        'Adds a scene; also requires device_control Control. Rejects two actions that set the same field of a device (taken), and values that a device does not support. At most 200 per home.',
      input: Given,
      results: Scene,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED', 'PERMISSION_DENIED'],
    },
    update: {
      path: '/UpdateScene',
      summary:
        'Changes a scene; new actions also require device_control Control. Omitted fields keep their values. Rejected if Version is given and outdated.',
      input: SceneKey.extend(Changed.shape).extend({ Version: Version.optional() }),
      results: Scene,
      errors: ['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED'],
      changes: ['automation'],
    },
    remove: {
      path: '/DeleteScene',
      summary:
        'Deletes a scene; devices keep the values that it set. Rejected (used) while an automation runs it.',
      input: SceneKey,
      results: SceneKey,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
  },
})
