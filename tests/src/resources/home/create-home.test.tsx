import { act, screen, waitFor } from '@testing-library/react'
import { useParams } from 'react-router'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { people } from '../../../../contract/people/calls.ts'
import { home, type HomeWithRooms } from '../../../../contract/homes/home.ts'
import { changeLanguage } from '../../../../src/lib/i18n/i18n.ts'
import { me } from '../../../../src/data/session.ts'
import homes from '../../../../src/resources/home/record.tsx'
import { answers, requests, rejectCall, server, subUser } from '../../../support/msw.ts'
import { prepareSession, sentTo } from '../../support/page.tsx'
import { openRefinePages } from '../../support/refine-pages.tsx'

const made: HomeWithRooms = {
  HomeID: 'h9',
  HomeName: '新竹廠',
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [],
}
const AddDevices = () => <h1>devices of {useParams()['HomeID']}</h1>

const open = () =>
  openRefinePages(
    [
      { path: '/CreateHome', element: <homes.Create /> },
      { path: '/addDevice/:HomeID', element: <AddDevices /> },
    ],
    '/CreateHome',
  ).user
const sent = () => sentTo(home.operations.create)

beforeEach(() => {
  prepareSession()
  server.use(answers(home.operations.list, [made]), answers(home.operations.create, made))
})

describe('creating a home', () => {
  it('names the missing right and who can grant it, before any input', async () => {
    me.set(subUser([{ FeatureKey: 'home', OperationList: ['Read'] }]))
    server.use(answers(people.listGrantors, [{ Name: '示範擁有者' }]))
    open()
    expect(await screen.findByText(/您缺少「場域」的「新增」權限/)).toBeTruthy()
    expect(await screen.findByText('可以授權的人：示範擁有者')).toBeTruthy()
    expect(requests.find(({ path }) => path === people.listGrantors.path)?.body).toEqual({
      Right: { FeatureKey: 'home', Operation: 'Create' },
    })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '新增場域' }).disabled).toBe(true)
  })

  it('sends name, the time zone of Taipei and a default room, and opens the devices of the new home', async () => {
    const by = open()
    await by.type(await screen.findByRole('textbox', { name: /名稱/ }), '新竹廠')
    await by.click(screen.getByRole('button', { name: '新增場域' }))
    expect(await screen.findByRole('heading', { name: 'devices of h9' })).toBeTruthy()
    expect(sent()).toEqual([
      expect.objectContaining({
        HomeName: '新竹廠',
        TimeZone: 'Asia/Taipei',
        DefaultRoomName: '預設房間',
      }),
    ])
  })

  it("names the default room in the person's language", async () => {
    await changeLanguage('en-US')
    const by = open()
    await by.type(await screen.findByRole('textbox', { name: /name/i }), 'Hsinchu')
    await by.click(screen.getByRole('button', { name: 'Add site' }))
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]).toMatchObject({ DefaultRoomName: 'Default room' })
    await changeLanguage('zh-TW')
  })

  it("uses the device's position if available, and says if not", async () => {
    const getCurrentPosition = vi.fn<Geolocation['getCurrentPosition']>()
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'geolocation'))
    const by = open()
    await by.type(await screen.findByRole('textbox', { name: /名稱/ }), '新竹廠')
    await by.click(screen.getByRole('button', { name: '使用這台裝置的位置' }))
    act(() => getCurrentPosition.mock.calls[0]![1]!({} as GeolocationPositionError))
    expect(await screen.findByText(/無法取得這台裝置的位置/)).toBeTruthy()
    await by.click(screen.getByRole('button', { name: '使用這台裝置的位置' }))
    await waitFor(() => expect(getCurrentPosition).toHaveBeenCalledTimes(2))
    act(() =>
      getCurrentPosition.mock.calls[1]![0]({
        coords: { latitude: 24.8012345, longitude: 120.97 },
      } as GeolocationPosition),
    )
    await by.click(screen.getByRole('button', { name: '新增場域' }))
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]).toMatchObject({ Latitude: 24.80123, Longitude: 120.97 })
  })

  it('requires a name and sends nothing without it', async () => {
    const by = open()
    await by.click(await screen.findByRole('button', { name: '新增場域' }))
    await waitFor(() => expect(document.querySelector('.ant-form-item-explain-error')).not.toBeNull())
    expect(sent()).toEqual([])
  })

  it('keeps input if the gateway rejects it, and shows why', async () => {
    server.use(rejectCall(home.operations.create, 'UNAVAILABLE'))
    const by = open()
    const name = await screen.findByRole('textbox', { name: /名稱/ })
    await by.type(name, '新竹廠')
    await by.click(screen.getByRole('button', { name: '新增場域' }))
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect((name as HTMLInputElement).value).toBe('新竹廠')
  })
})
