import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { FloorID, HomeID, Name, RoomID, Version } from '../kernel/scalars.ts'
import { ImageType, UploadTarget } from './upload-calls.ts'
import { polygonProblem, SCALE } from './shapes.ts'

/** Most floors of one home. */
export const MAX_FLOORS = 30
/** Most rooms on one floor. */
export const MAX_FLOOR_ROOMS = 300
/** Most corners of one room. */
export const MAX_CORNERS = 24

const Coordinate = z.number().int().min(0, 'tooSmall').max(SCALE, 'tooBig')
/** Ten-thousandths of the plan's width from the left, and of its height from the top. */
const PlanPoint = z.tuple([Coordinate, Coordinate])

/**
 * Where a room is on its floor: as an area, or as a pin.
 *
 * Points  its corners in the order of its outline; the last one is joined to the first, and the outline never meets itself
 * At      where the pin stands
 */
export const FloorShape = z.union([
  z.strictObject({ RoomID, Points: z.array(PlanPoint).min(3).max(MAX_CORNERS) }),
  z.strictObject({ RoomID, At: PlanPoint }),
])
export type FloorShape = z.infer<typeof FloorShape>

/**
 * The drawing of a floor, as people uploaded it and the gateway drew it again.
 *
 * Url            a WebP, at most 3,072 px long; another Url for every other drawing
 * SmallUrl       the same, at most 1,024 px long
 * Width, Height  of Url, px
 */
export const FloorPlan = z.object({
  Url: z.string(),
  SmallUrl: z.string(),
  Width: z.number().int().min(1),
  Height: z.number().int().min(1),
})
export type FloorPlan = z.infer<typeof FloorPlan>

/**
 * A floor of a home with its plan, and where its rooms are on that. A room stands on one floor of its home at most.
 *
 * Order    where the floor stands among the others, lowest first; those that are equal by name
 * Plan     null while nobody has uploaded one; Version does not count its changes, as `/UpdateFloor` leaves it alone
 * Shapes   each room once, by RoomID
 */
export const Floor = z.object({
  HomeID,
  FloorID,
  FloorName: Name,
  Order: z.number().int().min(-999, 'tooSmall').max(999, 'tooBig'),
  Plan: FloorPlan.nullable(),
  Shapes: z.array(FloorShape).max(MAX_FLOOR_ROOMS),
  Version,
})
export type Floor = z.infer<typeof Floor>

export const FloorKey = Floor.pick({ HomeID: true, FloorID: true })
export type FloorKey = z.infer<typeof FloorKey>

/** Shapes that can be drawn, each room once. */
export const FloorShapes = z
  .array(FloorShape)
  .max(MAX_FLOOR_ROOMS, 'tooManyRows')
  .superRefine((shapes, context) => {
    const rooms = new Set<number>()
    for (const [i, shape] of shapes.entries()) {
      if (rooms.has(shape.RoomID)) context.addIssue({ code: 'custom', path: [i], message: 'taken' })
      rooms.add(shape.RoomID)
      const problem = 'Points' in shape ? polygonProblem(shape.Points) : undefined
      if (problem) context.addIssue({ code: 'custom', path: [i], message: problem })
    }
  })

const { FloorName, Order } = Floor.shape

export const floor = defineResource({
  name: 'floor',
  scope: 'home',
  feature: 'room',
  record: Floor,
  key: ['HomeID', 'FloorID'],
  // Hundreds of outlines: who looks at them asks again.
  events: eventsOf(FloorKey),
  operations: {
    list: {
      path: '/ListFloor',
      summary: "A home's floors from the lowest, with their plans and where rooms are on these.",
      input: Floor.pick({ HomeID: true }),
      results: z.array(Floor),
      errors: ['NOT_FOUND'],
    },
    create: {
      path: '/CreateFloor',
      summary: 'Adds a floor, above the others where no Order is given. At most 30 in a home.',
      input: z.object({ HomeID, FloorName, Order: Order.optional() }),
      results: Floor,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateFloor',
      summary:
        'Renames a floor, moves it among the others or says where all its rooms are. Fields left out stay. Refused for an outline that crosses itself (crossing) or has no area (noArea), for a room that is not of the home (notFound) or stands on another floor (taken), and if Version is given and old.',
      input: FloorKey.extend({
        FloorName: FloorName.optional(),
        Order: Order.optional(),
        Shapes: FloorShapes.optional(),
        Version: Version.optional(),
      }),
      results: Floor,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/DeleteFloor',
      summary: 'Deletes a floor and its plan; its rooms stay.',
      input: FloorKey,
      results: FloorKey,
      errors: ['NOT_FOUND'],
    },
  },
})

/** Calls of a floor beyond the verbs. */
export const floorCalls = {
  uploadPlan: defineEndpoint({
    path: '/UploadFloorPlan',
    summary:
      'An upload URL for the plan of a floor: a JPEG, PNG or WebP of at most 10 MiB and 40 million pixels. Shapes stay as they are.',
    access: right('room', 'Update'),
    input: FloorKey.extend({ ContentType: ImageType }),
    results: UploadTarget,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: [],
    why: 'The gateway tells of the floor once the plan has arrived.',
  }),
  deletePlan: defineEndpoint({
    path: '/DeleteFloorPlan',
    summary: 'Removes the plan of a floor; shapes stay for the next one.',
    access: right('room', 'Update'),
    input: FloorKey,
    results: FloorKey,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['floor'],
  }),
}
