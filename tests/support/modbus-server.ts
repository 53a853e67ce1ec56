import { once } from 'node:events'
import { createRequire } from 'node:module'
import type * as Jsmodbus from 'jsmodbus'
import { type AddressInfo, createServer, type Socket } from 'node:net'

// Node finds no named exports in this package unless it is required.
const {
  ModbusTCPResponse,
  responses,
  server: servers,
} = createRequire(import.meta.url)('jsmodbus') as typeof Jsmodbus

type Area = 'holding' | 'input'

/** Request as received. */
export interface ModbusRequest {
  unit: number
  what: string
  address: number
  count: number
}

/** Modbus TCP server of an independent library, with memory for each unit and configurable faults. */
export interface TestModbusServer {
  port: number
  /** All requests, oldest first. */
  requests: ModbusRequest[]
  /** Sets registers of a unit; its other registers are 0. */
  set(unit: number, area: Area, address: number, words: readonly number[]): void
  get(unit: number, area: Area, address: number): number
  coils: Buffer
  discrete: Buffer
  /** Addresses for which requests get exception 2. */
  illegalAddresses: Set<number>
  /** Addresses for which requests get no response. */
  unanswered: Set<number>
  /** Addresses for which responses have one register fewer than requested. */
  shortened: Set<number>
  /** Exceptions by address; any request that contains the address gets it. */
  exceptions: Map<number, number>
  /** Addresses for which a request closes the connection. */
  closing: Set<number>
  /** Failure of every write: whether it is executed, and its response, such as an exception. */
  writeFault: { isExecuted: boolean; answer: 'none' | 'close' | 'garbled' | number } | undefined
  /** Whether requests are received but never answered. */
  isSilent: boolean
  /** Ends every connection, as a power cut does. */
  disconnectAll(): void
  close(): Promise<void>
}

/** Response to a read, with consistent lengths, that ends one register too early. */
function withoutLastRegister(payload: Buffer): Buffer {
  const cut = Buffer.from(payload.subarray(0, -2))
  cut.writeUInt16BE(cut.readUInt16BE(4) - 2, 4)
  cut.writeUInt8(cut.readUInt8(8) - 2, 8)
  return cut
}

/** Response with unit and function alone. */
function withoutBody(payload: Buffer): Buffer {
  const cut = Buffer.from(payload.subarray(0, 8))
  cut.writeUInt16BE(2, 4)
  return cut
}

const SIZE = 65_536 * 2
const ILLEGAL_ADDRESS = 2
const DEVICE_FAILURE = 4

/** port   of an earlier server to restart; 0 takes any */
export async function startModbusServer(port = 0): Promise<TestModbusServer> {
  const sockets = new Set<Socket>()
  const tcp = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  const coils = Buffer.alloc(64)
  const discrete = Buffer.alloc(64)
  const modbus = new servers.TCP(tcp, {
    coils,
    discrete,
    ...({ holding: undefined, input: undefined } as object),
  })
  const memory = new Map<string, Buffer>()
  const memoryOf = (unit: number, area: Area) => {
    const key = `${unit} ${area}`
    const stored = memory.get(key) ?? Buffer.alloc(SIZE)
    memory.set(key, stored)
    return stored
  }
  const state: TestModbusServer = {
    port: 0,
    requests: [],
    coils,
    discrete,
    illegalAddresses: new Set(),
    unanswered: new Set(),
    shortened: new Set(),
    exceptions: new Map(),
    closing: new Set(),
    writeFault: undefined,
    isSilent: false,
    set: (unit, area, address, words) =>
      words.forEach((word, i) => memoryOf(unit, area).writeUInt16BE(word, (address + i) * 2)),
    get: (unit, area, address) => memoryOf(unit, area).readUInt16BE(address * 2),
    disconnectAll: () => sockets.forEach((socket) => socket.destroy()),
    async close() {
      state.disconnectAll()
      tcp.close()
      await once(tcp, 'close')
    },
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- the library's types leave out the body of each request
  type Request = any
  type Reply = (payload: Buffer) => void
  const handleRequest = (
    what: string,
    request: Request,
    address: number,
    count: number,
    reply: Reply,
    body: () => object,
  ) => {
    state.requests.push({ unit: request.unitId, what, address, count })
    if (state.isSilent) return
    const hasFaulty = (faulty: Set<number>) =>
      Array.from({ length: count }, (_, i) => address + i).some((register) => faulty.has(register))
    if (hasFaulty(state.unanswered)) return
    if (hasFaulty(state.closing)) return state.disconnectAll()
    const exception = (code: number) =>
      new responses.ExceptionResponseBody(request.body.fc, code as typeof DEVICE_FAILURE)
    const payloadOf = (answer: object) =>
      ModbusTCPResponse.fromRequest(request, answer as never).createPayload()
    const fault = what === 'write' ? state.writeFault : undefined
    if (fault) {
      const answer = fault.isExecuted ? body() : exception(DEVICE_FAILURE)
      if (typeof fault.answer === 'number') reply(payloadOf(exception(fault.answer)))
      else if (fault.answer === 'close') state.disconnectAll()
      else if (fault.answer === 'garbled') reply(withoutBody(payloadOf(answer)))
      return
    }
    const isRejected = hasFaulty(state.illegalAddresses)
      ? ILLEGAL_ADDRESS
      : [...state.exceptions].find(([at]) => hasFaulty(new Set([at])))?.[1]
    const payload = payloadOf(isRejected === undefined ? body() : exception(isRejected))
    reply(hasFaulty(state.shortened) ? withoutLastRegister(payload) : payload)
  }
  modbus.on('readHoldingRegisters', (request: Request, reply: Reply) =>
    handleRequest('holding', request, request.body.start, request.body.count, reply, () =>
      responses.ReadHoldingRegistersResponseBody.fromRequest(
        request.body,
        memoryOf(request.unitId, 'holding'),
      ),
    ),
  )
  modbus.on('readInputRegisters', (request: Request, reply: Reply) =>
    handleRequest('input', request, request.body.start, request.body.count, reply, () =>
      responses.ReadInputRegistersResponseBody.fromRequest(request.body, memoryOf(request.unitId, 'input')),
    ),
  )
  modbus.on('writeSingleRegister', (request: Request, reply: Reply) =>
    handleRequest('write', request, request.body.address, 1, reply, () => {
      state.set(request.unitId, 'holding', request.body.address, [request.body.value])
      return responses.WriteSingleRegisterResponseBody.fromRequest(request.body)
    }),
  )
  modbus.on('writeMultipleRegisters', (request: Request, reply?: Reply) => {
    if (!reply) return
    handleRequest('write', request, request.body.address, request.body.quantity, reply, () => {
      memoryOf(request.unitId, 'holding').set(new Uint8Array(request.body.values), request.body.address * 2)
      return responses.WriteMultipleRegistersResponseBody.fromRequest(request.body)
    })
  })
  modbus.on('preReadCoils', (request: Request) =>
    state.requests.push({
      unit: request.unitId,
      what: 'coil',
      address: request.body.start,
      count: request.body.count,
    }),
  )

  tcp.listen(port, '127.0.0.1')
  await once(tcp, 'listening')
  state.port = (tcp.address() as AddressInfo).port
  return state
}

/** Registers of a float32, high word first. */
export const float32 = (value: number): number[] => {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatBE(value)
  return [bytes.readUInt16BE(0), bytes.readUInt16BE(2)]
}
