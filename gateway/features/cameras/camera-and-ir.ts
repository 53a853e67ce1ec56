import type { IRContainer } from '../../../contract/devices/capabilities/camera-and-ir.ts'
import { capabilityOf, deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import { cameraAndIr } from '../../../contract/devices/camera-and-ir-calls.ts'
import { MAX_ADDED_AT_ONCE, Peripheral, type PeripheralKey } from '../../../contract/devices/peripheral.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { grantOf } from '../../domain/identity/grant.ts'
import { findHome, lockRoom } from '../../domain/homes/find-home.ts'
import type { Cameras } from './cameras.ts'
import type { CameraPorts } from './ports.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Type codes of third-party devices: cameras and infrared remotes. */
const CASA_TYPES = deviceTypes
  .filter(({ capabilities }) => capabilities.some(({ name }) => name === 'camera' || name === 'irRemote'))
  .map(({ type }) => type)
const CAMERA_TYPE = deviceTypes.find(({ capabilities }) =>
  capabilities.some(({ name }) => name === 'camera'),
)?.type

export const cameraAndIrHandlers = (
  cameras: Cameras,
  { devices, sendCommand }: CameraPorts,
): HandlersOf<typeof cameraAndIr> => ({
  casaDeviceSync: async ({ HomeID, RoomID }, context) => {
    const { db, actor } = context
    await findHome(db, actor.tenant, HomeID)
    const found = await db.query<{ PeripheralUID: string; PeripheralName: string }>(sql`
      select d.peripheral_uid as "PeripheralUID", d.peripheral_name as "PeripheralName" from discoveries d
      where d.tenant = ${actor.tenant} and d.home_id = ${HomeID} and d.peripheral_type = any(${CASA_TYPES})
        and not exists (select from peripherals p where p.tenant = d.tenant and p.peripheral_uid = d.peripheral_uid)
      order by d.discovered_at, d.peripheral_uid`)
    const Peripherals = found.slice(0, MAX_ADDED_AT_ONCE)
    const Added = Peripherals.length > 0 ? await devices.add({ HomeID, RoomID, Peripherals }, context) : []
    return { Added, Left: found.length - Peripherals.length }
  },

  casaAddPeripheralAdvanceInfo: async (
    { HomeID, PeripheralUID, PeripheralName, RoomID, ...source },
    context,
  ) => {
    const { db, actor } = context
    const camera =
      PeripheralUID === undefined
        ? await addCamera({ HomeID, RoomID, PeripheralName }, context)
        : await lockCasaDevice(devices, 'camera', { HomeID, PeripheralUID }, context)
    await cameras.configure(db, actor.tenant, camera.PeripheralUID, source)
    if (PeripheralUID !== undefined) context.change('peripheral.update', camera)
    // The audit records only whether the password changed; a field named Password would be masked.
    context.audit({
      after: {
        PeripheralUID: camera.PeripheralUID,
        StreamUrl: source.StreamUrl,
        UserName: source.UserName,
        SignIn: source.Password === undefined ? 'kept' : 'changed',
      },
    })
    return camera
  },

  casaGetPeripheralAdvanceInfo: async (key, { db, actor }) => {
    await readCasaDevice('camera', key, db, actor.tenant)
    return cameras.readSource(db, actor.tenant, key.PeripheralUID)
  },

  casaIpCamLiveStream: ({ CasaPeripheralUIDList }, { db, actor }) =>
    cameras.openStreams(
      db,
      actor.tenant,
      grantOf(actor, cameraAndIr.casaIpCamLiveStream.access),
      CasaPeripheralUIDList,
    ),

  casaGetStreamFault: async (key, { db, actor }) => {
    await readCasaDevice('camera', key, db, actor.tenant)
    return { Fault: await cameras.readFault(actor.tenant, key.PeripheralUID) }
  },

  casaDeletePeripheral: async (key, context) => {
    const { PeripheralType } = await devices.lock(key, context)
    if (!CASA_TYPES.includes(PeripheralType)) throw notOne(key)
    return devices.remove(key, context)
  },

  casaControlIRRemote: async ({ HomeID, PeripheralUID, PMACAddress, ContMID, ContDID }, context) => {
    const { db, actor } = context
    const remote = await readCasaDevice('irRemote', { HomeID, PeripheralUID }, db, actor.tenant)
    if (PMACAddress && remote.PMACAddress !== PMACAddress) throw notOne(remote)
    return sendCommand({
      tenant: actor.tenant,
      homeId: HomeID,
      RequestID: context.random.uuid(),
      PeripheralUID,
      Values: { SendIR: { ContMID, ContDID } },
      at: context.clock.now(),
      source: 'person',
      by: actor.name,
    })
  },

  listIRRemoteContainer: async (key, { db, actor }) => {
    await readCasaDevice('irRemote', key, db, actor.tenant)
    return readContainers(db, actor.tenant, key.PeripheralUID)
  },

  updateIRRemoteContainerName: async ({ ContMID, ContMName, ...key }, context) => {
    const { db, actor } = context
    const remote = await lockCasaDevice(devices, 'irRemote', key, context)
    const before = (await readContainers(db, actor.tenant, key.PeripheralUID)).find(
      (container) => container.ContMID === ContMID,
    )
    if (!before) throw new GatewayError('NOT_FOUND', `The remote has no container ${ContMID}`)
    await db.query(sql`insert into ir_container_names (tenant, peripheral_uid, cont_mid, cont_mname)
      values (${actor.tenant}, ${key.PeripheralUID}, ${ContMID}, ${ContMName})
      on conflict (tenant, peripheral_uid, cont_mid) do update set cont_mname = excluded.cont_mname`)
    const after: IRContainer = { ...before, ContMName }
    context.change('peripheral.update', remote)
    context.audit({ before, after })
    return after
  },
})

/** Adds a camera that belongs to no hub. */
async function addCamera(
  {
    HomeID,
    RoomID,
    PeripheralName,
  }: Pick<Peripheral, 'HomeID' | 'RoomID'> & { PeripheralName?: string | undefined },
  context: SignedIn,
): Promise<Peripheral> {
  const { db, actor, clock, random } = context
  if (PeripheralName === undefined)
    throw new GatewayError('INVALID', 'A new camera needs a name', { PeripheralName: 'required' })
  await lockRoom(db, actor.tenant, HomeID, RoomID)
  const [camera] = await db.query<Peripheral>(sql`
    insert into peripherals as p (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, room_id, created_at)
    values (${actor.tenant}, ${`camera-${random.uuid()}`}, ${CAMERA_TYPE}, ${PeripheralName}, ${HomeID}, ${RoomID},
      ${clock.now()})
    returning ${columnsOf(Peripheral, 'p')}`)
  context.change('peripheral.add', camera as Peripheral)
  return camera as Peripheral
}

type CasaCapability = 'camera' | 'irRemote'

/** Reads a device if it is a camera, or a remote, of this home. Errors: NOT_FOUND. */
async function readCasaDevice(
  capability: CasaCapability,
  key: PeripheralKey,
  db: Db,
  tenant: string,
): Promise<Peripheral> {
  const [record] = await db.query<Peripheral>(sql`select ${columnsOf(Peripheral)} from peripherals
    where tenant = ${tenant} and home_id = ${key.HomeID} and peripheral_uid = ${key.PeripheralUID}`)
  if (!record || !capabilityOf(record.PeripheralType, capability)) throw notOne(key)
  return record
}

/** Reads such a device and locks it until the transaction ends. Errors: NOT_FOUND. */
async function lockCasaDevice(
  devices: CameraPorts['devices'],
  capability: CasaCapability,
  key: PeripheralKey,
  context: SignedIn,
): Promise<Peripheral> {
  const record = await devices.lock(key, context)
  if (!capabilityOf(record.PeripheralType, capability)) throw notOne(key)
  return record
}

const notOne = ({ PeripheralUID }: Pick<PeripheralKey, 'PeripheralUID'>) =>
  new GatewayError('NOT_FOUND', `Device ${PeripheralUID} is no such device`)

/** Commands that a remote last reported, under the names that users gave. */
const readContainers = (db: Db, tenant: string, uid: string): Promise<IRContainer[]> =>
  db.query<IRContainer>(sql`
    select c.value ->> 'ContMID' as "ContMID", c.value ->> 'ContDID' as "ContDID",
      coalesce(n.cont_mname, c.value ->> 'ContMName') as "ContMName"
    from device_status s cross join lateral jsonb_array_elements(s.values -> 'IRContainers') with ordinality as c (value, at)
      left join ir_container_names n on n.tenant = s.tenant and n.peripheral_uid = s.peripheral_uid
        and n.cont_mid = c.value ->> 'ContMID'
    where s.tenant = ${tenant} and s.peripheral_uid = ${uid}
      and jsonb_typeof(s.values -> 'IRContainers') = 'array'
    order by c.at`)
