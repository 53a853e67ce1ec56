import { expect, it, onTestFinished, vi } from 'vitest'
import type { AnyEndpoint, ResultsOf, RequestOf } from '../../contract/kernel/define-endpoint.ts'
import { floor, floorCalls, type Floor } from '../../contract/homes/floor.ts'
import { home } from '../../contract/homes/home.ts'
import { readImageHeader } from '../../gateway/features/uploads/check-picture.ts'
import type { Call } from '../../scripts/api.ts'
import { seedFloors } from '../../scripts/demo-floors.ts'
import { demoCompany } from '../../simulator/demo/demo.ts'

const office = demoCompany.homes.find(({ HomeName }) => HomeName === '內湖總部')
const RoomList = office?.rooms.map((RoomName, RoomID) => ({ RoomID, RoomName })) ?? []

it('gives the head office floors with drawings, on which each of its rooms stands once, and leaves what is there', async () => {
  const floors: Floor[] = []
  const call: Call = async <E extends AnyEndpoint>(endpoint: E, input: RequestOf<E>) => {
    const asked = endpoint.input.parse(input) as Partial<Floor> & { HomeID: string }
    const answers: Record<string, () => unknown> = {
      [home.operations.list.path]: () => [{ HomeID: 'h1', HomeName: '內湖總部', RoomList }],
      [floor.operations.list.path]: () => [...floors],
      [floor.operations.create.path]: () => {
        floors.push({ ...(asked as Floor), FloorID: floors.length + 1, Shapes: [], Plan: null, Version: 1 })
        return floors.at(-1)
      },
      [floor.operations.update.path]: () => Object.assign(floors[(asked.FloorID ?? 0) - 1] as Floor, asked),
      [floorCalls.uploadPlan.path]: () => ({ UploadUrl: `/uploads/${asked.FloorID}` }),
    }
    return answers[endpoint.path]?.() as ResultsOf<E>
  }
  const put = vi.fn(async (_url: URL, _init: { body: Uint8Array }) => new Response('{}'))
  vi.stubGlobal('fetch', put)
  onTestFinished(() => void vi.unstubAllGlobals())
  await seedFloors(call, 'http://demo.example')
  const placed = floors.flatMap(({ Shapes }) => Shapes.map(({ RoomID }) => RoomID))
  expect(placed.toSorted((a, b) => a - b)).toEqual(
    RoomList.filter(({ RoomName }) => !RoomName.startsWith('預設')).map(({ RoomID }) => RoomID),
  )
  for (const [, { body }] of put.mock.calls)
    expect(readImageHeader(body)).toEqual({ contentType: 'image/png', width: 2400, height: 1500 })
  expect(put).toHaveBeenCalledTimes(floors.length)
  await seedFloors(call, 'http://demo.example')
  expect(put).toHaveBeenCalledTimes(floors.length)
})
