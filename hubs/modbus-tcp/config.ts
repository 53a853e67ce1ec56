import { z } from 'zod'
import { HomeID, Name, PeripheralUID, ThingName } from '../../contract/kernel/scalars.ts'

const Device = z.strictObject({
  /** Unit (slave) id on the server: 1 to 247, or 0 and 255 for a server that is itself the device. */
  unit: z.number().int().min(0).max(255),
  /** Unique in the company; derived from host, port and unit if omitted. */
  uid: PeripheralUID.optional(),
  name: Name.optional(),
  type: z.enum(['758', '530']).default('758'),
})

const Server = z.strictObject({
  host: z.string().min(1),
  port: z.number().int().min(1).max(65_535).default(502),
  /** Maximum wait for an answer and for a connection, in ms. */
  timeoutMs: z.number().int().min(50).max(60_000).default(1_000),
  /** Maximum number of registers per request: some devices accept fewer than the protocol's 125. */
  maxRegisters: z.number().int().min(1).max(125).default(120),
  /** Maximum number of unused addresses between two rows that one request may span. */
  maxGap: z.number().int().min(0).max(124).default(16),
  devices: z.array(Device).min(1),
})

/** The configuration file of the Modbus TCP hub (docs/hubs/modbus-tcp.md). */
export const ModbusHubConfig = z
  .strictObject({
    gateway: z.strictObject({
      /** mqtt:// or mqtts:// */
      url: z.url({ protocol: /^mqtts?$/ }),
      /** RootCognitoId of the company. */
      rootId: z.uuid(),
      homeId: HomeID,
      thingName: ThingName,
      secret: z.string().min(1).optional(),
      /** Path of the certificate authority (PEM), if it is not a public one. */
      ca: z.string().optional(),
    }),
    /** Seconds between two readings of a device. */
    pollSeconds: z.number().min(0.1).max(3600).default(5),
    /** File in which the tables are kept for a start without the gateway; next to the configuration if omitted. */
    stateFile: z.string().optional(),
    servers: z.array(Server).min(1),
  })
  .superRefine(({ servers }, context) => {
    const seen = new Set<string>()
    for (const [s, server] of servers.entries())
      for (const [d, device] of server.devices.entries()) {
        const uid = modbusUidOf(server, device)
        if (seen.has(uid))
          context.addIssue({
            code: 'custom',
            path: ['servers', s, 'devices', d],
            message: `${uid} is here twice`,
          })
        seen.add(uid)
      }
  })
export type ModbusHubConfig = z.infer<typeof ModbusHubConfig>

/** The PeripheralUID of a device: configured, or derived from its address. */
export const modbusUidOf = (
  { host, port }: { host: string; port: number },
  { uid, unit }: { uid?: string | undefined; unit: number },
): string => uid ?? `modbus-${host.replace(/[^A-Za-z0-9]+/g, '-')}-${port}-${unit}`.slice(-64)
