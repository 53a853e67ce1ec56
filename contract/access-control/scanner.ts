import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { defineResource, eventsOf } from '../kernel/define-resource.ts'
import { HomeID, Millis, Name, ThingName, Version } from '../kernel/scalars.ts'
import { DIRECTIONS } from './access-pass.ts'

/** Scanner at a door: reads QR codes and cards, and uses MQTT with its own credentials (§3). */
export const Scanner = z.object({
  ThingName,
  ScannerName: Name,
  HomeID,
  Direction: z.enum(DIRECTIONS),
  /** Whether every active employee may pass; otherwise only the assigned ones. */
  AllEmployees: z.boolean(),
  /** Whether visitors with a valid pass may pass. */
  AllowVisitors: z.boolean(),
  Version,
})
export type Scanner = z.infer<typeof Scanner>

/** Scanner with its connection state and number of assignments. SeenAt is null until it first connects. */
export const ScannerWithState = Scanner.extend({
  Online: z.boolean(),
  SeenAt: Millis.nullable(),
  Assigned: z.number().int(),
})
export type ScannerWithState = z.infer<typeof ScannerWithState>

export const ScannerKey = Scanner.pick({ ThingName: true })
export type ScannerKey = z.infer<typeof ScannerKey>

/** MQTT credentials of a scanner (user name ThingName). Secret is shown once; only its hash is stored. */
export const ScannerCredentials = Scanner.extend({ Secret: credential(z.string()) })
export type ScannerCredentials = z.infer<typeof ScannerCredentials>

const Editable = Scanner.omit({ ThingName: true, HomeID: true, Version: true })

export const scanner = defineResource({
  name: 'scanner',
  scope: 'company',
  feature: 'access_control_scanner',
  record: Scanner,
  key: ['ThingName'],
  events: eventsOf(ScannerKey),
  operations: {
    list: {
      path: '/ListScanner',
      summary: "The company's scanners by name.",
      sites: 'mixed',
      input: z.object({}),
      results: z.array(ScannerWithState),
      // Deleting a home deletes its scanners, and deleting an employee their assignments.
      shows: ['home', 'employee'],
      freshFor: 0,
    },
    create: {
      path: '/CreateScanner',
      summary: 'Adds a scanner to a home and returns its credentials, only this once. At most 500.',
      input: Scanner.omit({ ThingName: true, Version: true }).partial({
        Direction: true,
        AllEmployees: true,
        AllowVisitors: true,
      }),
      results: ScannerCredentials,
      errors: ['NOT_FOUND', 'LIMIT_EXCEEDED'],
    },
    update: {
      path: '/UpdateScanner',
      summary:
        'Changes a scanner; omitted fields keep their values. Its home cannot change. Rejected if Version is given and outdated.',
      sites: 'record',
      input: ScannerKey.extend(Editable.partial().shape).extend({ Version: Version.optional() }),
      results: Scanner,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/RemoveScanner',
      summary: 'Deletes a scanner and ends its connection; its log entries remain.',
      sites: 'record',
      input: ScannerKey,
      results: ScannerKey,
      errors: ['NOT_FOUND'],
    },
  },
})
