import { CopyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { UsedBy } from '../../domain/automation/parts/used-by.tsx'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { GroupControl, GroupKind, groupKindKey, GroupStateTag } from './live-cells.tsx'
import { group as resource, type Group, MAX_GROUP_DEVICES } from '../../../contract/automation/group.ts'
import { CopyDialog, type CopyPlan } from '../../domain/automation/parts/copy-dialog.tsx'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT, t as words } from '../../lib/i18n/i18n.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { callErrorIn } from '../../data/post.ts'
import { FormCard, OneRecordPage, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import page from '../../ui/page/page.module.css'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { DeviceChecklist } from '../../domain/automation/actions/device-checklist.tsx'
import { useHomes, useDevices } from '../../data/homes.ts'
import { deviceRows } from '../../domain/devices/device-rows.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

/** Type code of signal tower sensors; those of a group must be adjacent (§5). */
const LIGHT_HOUSE = '515'

interface Props {
  HomeID: string
  value?: readonly string[]
  onChange?: (uids: string[]) => void
  disabled?: boolean
}

/** Devices of a group, all of one type: the selected type, or that of the first device. */
function GroupMembers({ HomeID, value = [], onChange, disabled = false }: Props) {
  const t = useT()
  const home = useHomes()?.find((one) => one.HomeID === HomeID)
  const { data, error, refetch } = useDevices(HomeID)
  const [pickedType, setPickedType] = useState<string>()
  if (!data)
    return error ? <LoadFailed error={error} retry={() => void refetch()} /> : <ListSkeleton rows={4} />
  const all = deviceRows(data).filter(({ device }) => device !== undefined)
  const rowsById = new Map(all.map((row) => [row.id, row]))
  const deletedUids = value.filter((uid) => !rowsById.has(uid))
  const first = value.map((uid) => rowsById.get(uid)?.device).find((device) => device !== undefined)
  const type = first?.PeripheralType ?? pickedType
  const types = [...new Set(all.map(({ device }) => device?.PeripheralType as string))]
  const rows = type === undefined ? all : all.filter(({ device }) => device?.PeripheralType === type)
  const nameOf = (code: string) => {
    const kind = deviceType(code)?.kind
    return t('automation:group.typeName', {
      kind: kind ? t(`devices:kinds.${kind}`) : t('devices:kinds.other'),
      type: code,
    })
  }
  const change = (selectedIds: ReadonlySet<string>) => {
    const ids = [...selectedIds]
    // The first device decides the type; others of the selection are dropped.
    const ownType = rowsById.get(ids[0] ?? '')?.device?.PeripheralType
    onChange?.(ids.filter((id) => !rowsById.has(id) || rowsById.get(id)?.device?.PeripheralType === ownType))
  }
  return (
    <fieldset
      className={page.tightStack}
      disabled={disabled}
      aria-label={t('resources:group.fields.PeripheralList')}
    >
      <FormSelect
        aria-label={t('automation:group.type')}
        placeholder={t('automation:group.anyType')}
        allowClear
        showSearch
        filterOption={holdsLabel}
        disabled={disabled || value.length > 0}
        value={type ?? null}
        options={types.map((code) => ({ value: code, label: nameOf(code) }))}
        onChange={(next: string | undefined) => setPickedType(next)}
      />
      <p className={page.hint}>
        {value.length > 0 ? t('automation:group.typeFixed') : t('automation:group.typeHint')}
        {type === LIGHT_HOUSE && ` ${t('automation:group.adjacent')}`}
      </p>
      <span className={page.count} role="status">
        {t('automation:group.chosen', { count: value.length, most: MAX_GROUP_DEVICES })}
      </span>
      {deletedUids.length > 0 && (
        <StateTag tone="alarm">{t('automation:group.gone', { count: deletedUids.length })}</StateTag>
      )}
      <DeviceChecklist
        rows={rows}
        rooms={home?.RoomList ?? []}
        selected={new Set(value)}
        onChange={change}
        max={MAX_GROUP_DEVICES}
        disabled={disabled}
      />
    </fieldset>
  )
}

const describeMissing = () => ({
  title: words('automation:group.notFound'),
  toList: words('resources:group.list'),
})

function GroupPage() {
  const { HomeID = '', GroupID } = useParams()
  if (GroupID === undefined)
    return <GroupForm key={HomeID} HomeID={HomeID} group={undefined} isDeleted={false} />
  return (
    <OneRecordPage
      key={GroupID}
      resource="group"
      id={{ GroupID }}
      missingTexts={describeMissing}
      list={pathTo('GroupListing', { HomeID })}
    >
      {(group, isDeleted) => <GroupForm HomeID={HomeID} group={group} isDeleted={isDeleted} />}
    </OneRecordPage>
  )
}

function GroupForm(props: { HomeID: string; group: Group | undefined; isDeleted: boolean }) {
  const { HomeID, group } = props
  const t = useT()
  const navigate = useNavigate()
  const edited = useRecordForm('group', group, { scope: { HomeID } })
  const list = pathTo('GroupListing', { HomeID })
  return (
    <RecordPage
      title={group?.GroupName ?? t('resources:group.create')}
      head={
        group && (
          <span className={page.tools}>
            <GroupStateTag group={group} />
            <GroupControl group={group} />
          </span>
        )
      }
    >
      <FormCard
        resource="group"
        formState={edited}
        record={group}
        isMissing={props.isDeleted}
        initial={{ PeripheralList: [] }}
        fields={[
          'GroupName',
          {
            name: 'PeripheralList',
            isWide: true,
            input: <GroupMembers HomeID={HomeID} />,
            describe: (row) =>
              t('automation:actions.members', { count: (row as Group).PeripheralList.length }),
          },
        ]}
        cancelTo={list}
        submit={async (values) => {
          try {
            if (await edited.save(values)) void navigate(list)
          } catch (error) {
            throw mapMemberErrors(error)
          }
        }}
      />
    </RecordPage>
  )
}

/** Moves an error about one device to the field of all devices. */
function mapMemberErrors(error: unknown): unknown {
  const failed = callErrorIn(error)
  if (!failed) return error
  const { fields } = failed
  const path = Object.keys(fields).find((one) => one.startsWith('PeripheralList.'))
  if (path === undefined) return error
  return Object.assign(failed, { fields: { ...fields, PeripheralList: fields[path] } })
}

const edit = ({ HomeID, GroupID }: { HomeID: string; GroupID: string }) =>
  pathTo('updateGroup', { HomeID, GroupID })

/** Groups of devices of one type that are controlled together; a group's state is derived from its devices. */
export default defineRecord({
  resource: 'group',
  columns: [
    { key: 'GroupName', width: 120 },
    {
      key: 'GroupType',
      width: 120,
      text: ({ GroupType }) => words(groupKindKey(GroupType)),
      render: (group) => <GroupKind type={group.GroupType} />,
    },
    { key: 'members', text: ({ PeripheralList }) => PeripheralList.length, width: 64, minWidth: 74 },
    { key: 'state', render: (group) => <GroupStateTag group={group} />, text: () => '', width: 134 },
  ],
  to: {
    list: ({ HomeID }) => pathTo('GroupListing', { HomeID }),
    create: ({ HomeID }) => pathTo('updateGroup', { HomeID }),
    edit,
  },
  open: edit,
  Actions: ({ row }) => <GroupControl group={row} />,
  actionsWidth: 184,
  Menu: ({ row }) => <CopyGroup group={row} />,
  remove: { consequence: ({ HomeID, GroupID }) => <UsedBy HomeID={HomeID} Subject="group" ID={GroupID} /> },
  pages: { Create: GroupPage, Edit: GroupPage },
})

/** Button that copies a group and opens the copy. */
function CopyGroup({ group }: { group: Group }) {
  const t = useT()
  const navigate = useNavigate()
  const may = useMay('group', 'Create')
  const [isOpen, setOpen] = useState(false)
  const create = useAction(resource.operations.create)
  if (!may) return null
  const copy = async ({ HomeID, name, deviceOf }: CopyPlan) => {
    const PeripheralList = [...new Set(group.PeripheralList.map(deviceOf).filter((uid) => uid !== undefined))]
    const created = await create.run({ HomeID, GroupName: name, PeripheralList }, () => t('screens:created'))
    if (!created) return
    setOpen(false)
    void navigate(pathTo('updateGroup', { HomeID, GroupID: created.GroupID }))
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only keeps a click from opening the row
    <span onClick={(event) => event.stopPropagation()}>
      <IconButton
        icon={<CopyOutlined />}
        disabled={group.PeripheralList.length === 0}
        label={t('automation:copy.of', { name: group.GroupName })}
        onPress={() => setOpen(true)}
      />
      {isOpen && (
        <CopyDialog
          title={t('automation:copy.of', { name: group.GroupName })}
          name={group.GroupName}
          HomeID={group.HomeID}
          uids={group.PeripheralList}
          busy={create.busy}
          close={() => setOpen(false)}
          copy={(plan) => void copy(plan)}
        />
      )}
    </span>
  )
}
