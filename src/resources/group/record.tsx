import { UsedBy } from '../../domain/automation/parts/used-by.tsx'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { CopyGroup } from './copy-group.tsx'
import { GroupPage } from './group-page.tsx'
import { GroupControl, GroupKind, GroupStateTag } from './live-cells.tsx'

const edit = ({ HomeID, GroupID }: { HomeID: string; GroupID: string }) =>
  pathTo('updateGroup', { HomeID, GroupID })

/** Devices of one type that are controlled as one; what a group is like now follows from its devices. */
export default defineRecord({
  resource: 'group',
  columns: [
    { key: 'GroupName', width: 120 },
    { key: 'GroupType', width: 120, render: (group) => <GroupKind type={group.GroupType} /> },
    { key: 'members', text: ({ PeripheralList }) => PeripheralList.length, width: 64, least: 74 },
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
