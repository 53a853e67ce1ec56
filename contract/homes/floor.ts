import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { FloorID, HomeID, Name, RoomID, Version } from '../kernel/scalars.ts'
import { ImageType, UploadTarget } from './upload-calls.ts'
import { polygonProblem, SCALE } from './shapes.ts'

export const MAX_FLOORS = 30
export const MAX_FLOOR_ROOMS = 300
export const MAX_CORNERS = 24

const Coordinate = z.number().int().min(0, 'tooSmall').max(SCALE, 'tooBig')
/** Position in 1/10,000 of the plan's width from the left, and of its height from the top. */
const PlanPoint = z.tuple([Coordinate, Coordinate])

/**
 * Position of a room on its floor: as an area, or as a pin.
 *
 * Points  corners in the order of the outline; the last connects to the first, and the outline does not intersect itself
 * At      position of the pin
 */
export const FloorShape = z.union([
  z.strictObject({ RoomID, Points: z.array(PlanPoint).min(3).max(MAX_CORNERS) }),
  z.strictObject({ RoomID, At: PlanPoint }),
])
export type FloorShape = z.infer<typeof FloorShape>

/**
 * Plan of a floor: an uploaded image, re-encoded by the gateway.
 *
 * Url            WebP of at most 3,072 px on the longer side; changes with every new plan
 * SmallUrl       the same image, at most 1,024 px
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
 * Floor of a home with its plan and the positions of its rooms. A room is on at most one floor.
 *
 * Order    sort order, lowest first; ties are sorted by name
 * Plan     null until uploaded; plan changes do not increase Version, because `/UpdateFloor` does not affect the plan
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

/** Valid shapes, each room once. */
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
  // Events carry only keys, because a floor may have hundreds of outlines: clients fetch it again.
  events: eventsOf(FloorKey),
  operations: {
    list: {
      path: '/ListFloor',
      summary: 'Floors of a home from the lowest, with their plans and the positions of rooms on these.',
      input: Floor.pick({ HomeID: true }),
      results: z.array(Floor),
      errors: ['NOT_FOUND'],
    },
    create: {
      path: '/CreateFloor',
      summary: 'Adds a floor, above the others if Order is absent. At most 30 per home.',
      input: z.object({ HomeID, FloorName, Order: Order.optional() }),
      results: Floor,
      errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateFloor',
      summary:
        'Renames a floor, changes its order or sets the positions of all its rooms. Omitted fields keep their values. Rejected for an outline that crosses itself (crossing) or has no area (noArea), for a room that is not in the home (notFound) or is on another floor (taken), and if Version is given and outdated.',
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
      summary: 'Deletes a floor and its plan; its rooms remain.',
      input: FloorKey,
      results: FloorKey,
      errors: ['NOT_FOUND'],
    },
  },
})

/** Calls of a floor in addition to the CRUD ones. */
export const floorCalls = {
  uploadPlan: defineEndpoint({
    path: '/UploadFloorPlan',
    summary:
      'Upload URL for the plan of a floor: a JPEG, PNG or WebP of at most 10 MiB and 40 million pixels. Room positions do not change.',
    access: right('room', 'Update'),
    input: FloorKey.extend({ ContentType: ImageType }),
    results: UploadTarget,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: [],
    why: 'The gateway publishes the floor after the plan is uploaded.',
  }),
  deletePlan: defineEndpoint({
    path: '/DeleteFloorPlan',
    summary: 'Deletes the plan of a floor; room positions are kept for the next plan.',
    access: right('room', 'Update'),
    input: FloorKey,
    results: FloorKey,
    errors: ['NOT_FOUND'],
    mutates: true,
    changes: ['floor'],
  }),
}
