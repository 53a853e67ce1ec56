import { UsedBy } from '../../domain/automation/parts/used-by.tsx'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { GroupPage } from './group-page.tsx'
import { GroupControl, GroupKind, GroupStateTag } from './live-cells.tsx'
import { CopyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { group as resource, type Group } from '../../../contract/automation/group.ts'
import { CopyDialog, type CopyPlan } from '../../domain/automation/parts/copy-dialog.tsx'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'

const edit = ({ HomeID, GroupID }: { HomeID: string; GroupID: string }) =>
  pathTo('updateGroup', { HomeID, GroupID })

/** Groups of devices of one type that are controlled together; a group's state is derived from its devices. */
export default defineRecord({
  resource: 'group',
  columns: [
    { key: 'GroupName', width: 120 },
    { key: 'GroupType', width: 120, render: (group) => <GroupKind type={group.GroupType} /> },
    { key: 'members', text: ({ PeripheralList }) => PeripheralList.length, width: 64, minWidth: 74 },
    { key: 'state', render: (group) => <GroupStateTag group={group} />, text: () => '', width: 134 },
  ],
  to: {
    list: ({ HomeID }) => pathTo('GroupListing', { HomeID }),
    create: ({ HomeID }) => pathTo('updateGroup', { HomeID }),
    edit,
  },
  open: edit,
  Actions: ({ row }) => (
    <>
      <GroupControl group={row} />
      <CopyGroup group={row} />
    </>
  ),
  actionsWidth: 288,
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
    const made = await create.run({ HomeID, GroupName: name, PeripheralList }, () => t('screens:created'))
    if (!made) return
    setOpen(false)
    void navigate(pathTo('updateGroup', { HomeID, GroupID: made.GroupID }))
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
