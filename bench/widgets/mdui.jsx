import 'mdui/mdui.css';
import 'mdui';
import { confirm, prompt, alert, snackbar } from 'mdui';
const S = window.S = {};
document.getElementById('root').innerHTML = `<div style="padding:20px;width:760px;display:flex;flex-direction:column;gap:14px;align-items:flex-start">
<mdui-dropdown id=dd><mdui-button slot=trigger>Open dropdown</mdui-button><mdui-menu id=menu><mdui-menu-item value=cut>Cut it</mdui-menu-item><mdui-menu-item value=copy>Copy it</mdui-menu-item><mdui-menu-item value=more>Share with<mdui-menu-item slot=submenu value=ann>Ann Bell</mdui-menu-item><mdui-menu-item slot=submenu value=bo>Bo Carver</mdui-menu-item></mdui-menu-item></mdui-menu></mdui-dropdown>
<mdui-dropdown stay-open-on-click><mdui-button slot=trigger>Columns</mdui-button><mdui-menu id=cols selects=multiple><mdui-menu-item value=name>Name column</mdui-menu-item><mdui-menu-item value=size>Size column</mdui-menu-item><mdui-menu-item value=date>Date column</mdui-menu-item></mdui-menu></mdui-dropdown>
<mdui-dropdown trigger=contextmenu open-on-pointer><mdui-card slot=trigger style="width:200px;height:60px">Right click area</mdui-card><mdui-menu id=ctx><mdui-menu-item value=rename>Rename</mdui-menu-item><mdui-menu-item value=remove>Remove</mdui-menu-item></mdui-menu></mdui-dropdown>
<mdui-dropdown trigger=hover><mdui-button slot=trigger>Hover menu</mdui-button><mdui-menu id=hov><mdui-menu-item value=zoom>Zoom in</mdui-menu-item><mdui-menu-item value=pan>Pan left</mdui-menu-item></mdui-menu></mdui-dropdown>
<mdui-select id=sel label="Size" value=s><mdui-menu-item value=s>Small</mdui-menu-item><mdui-menu-item value=m>Medium</mdui-menu-item><mdui-menu-item value=l>Large</mdui-menu-item></mdui-select>
<mdui-select id=multi label="Toppings" multiple><mdui-menu-item value=nuts>Nuts</mdui-menu-item><mdui-menu-item value=oats>Oats</mdui-menu-item><mdui-menu-item value=jam>Jam</mdui-menu-item></mdui-select>
<mdui-select id=bare placeholder="Choose a port" clearable variant=outlined><mdui-menu-item value=b>Brest</mdui-menu-item><mdui-menu-item value=n>Nantes</mdui-menu-item></mdui-select>
<mdui-text-field id=name label="Full name" clearable></mdui-text-field>
<mdui-text-field id=pass label="Password" type=password toggle-password></mdui-text-field>
<mdui-text-field id=notes label="Notes" rows=3 counter maxlength=100></mdui-text-field>
<mdui-slider id=slider value=20 style="width:300px"></mdui-slider>
<mdui-range-slider id=range style="width:300px"></mdui-range-slider>
<mdui-checkbox id=check>Accept terms</mdui-checkbox>
<mdui-radio-group id=rad><mdui-radio value=cash>Cash</mdui-radio><mdui-radio value=card>Card</mdui-radio></mdui-radio-group>
<mdui-list style="width:300px"><mdui-list-item headline="Wi-Fi" nonclickable><mdui-switch slot=end-icon id=wifi></mdui-switch></mdui-list-item><mdui-list-item headline="Bluetooth" nonclickable><mdui-switch slot=end-icon id=blue></mdui-switch></mdui-list-item><mdui-list-item id=about headline="About phone" description="Model and more"></mdui-list-item></mdui-list>
<mdui-segmented-button-group id=seg selects=single><mdui-segmented-button value=day>Day</mdui-segmented-button><mdui-segmented-button value=week>Week</mdui-segmented-button><mdui-segmented-button value=month>Month</mdui-segmented-button></mdui-segmented-button-group>
<mdui-tabs value=t1 style="width:100%"><mdui-tab value=t1>Music</mdui-tab><mdui-tab value=t2>Videos</mdui-tab><mdui-tab value=t3>Podcasts</mdui-tab><mdui-tab-panel slot=panel value=t1>Music panel</mdui-tab-panel><mdui-tab-panel slot=panel value=t2>Videos panel</mdui-tab-panel><mdui-tab-panel slot=panel value=t3>Podcasts panel</mdui-tab-panel></mdui-tabs>
<mdui-collapse id=coll accordion style="width:300px"><mdui-collapse-item value=a header="Shipping"><p>Ships in two days</p></mdui-collapse-item><mdui-collapse-item value=b header="Returns"><p>Thirty days to return</p></mdui-collapse-item></mdui-collapse>
<mdui-list style="width:300px"><mdui-collapse id=coll2><mdui-collapse-item value=inbox><mdui-list-item slot=header>Inbox</mdui-list-item><div style="margin-left:2rem"><mdui-list-item id=starred>Starred</mdui-list-item></div></mdui-collapse-item></mdui-collapse></mdui-list>
<mdui-button id=opendlg>Delete boats</mdui-button>
<mdui-dialog id=dlg headline="Delete 3 boats?" description="They cannot be brought back." close-on-overlay-click><mdui-button slot=action variant=text id=no>Keep them</mdui-button><mdui-button slot=action variant=tonal id=yes>Yes, delete</mdui-button></mdui-dialog>
<mdui-button id=conf>Confirm</mdui-button><mdui-button id=prom>Ask name</mdui-button>
<mdui-button id=opendrawer>Open drawer</mdui-button><mdui-navigation-drawer id=drawer modal close-on-esc close-on-overlay-click><mdui-list><mdui-list-item id=sett>Settings</mdui-list-item><mdui-list-item id=bye>Close drawer</mdui-list-item></mdui-list></mdui-navigation-drawer>
<mdui-button id=snack>Archive</mdui-button>
<mdui-tooltip content="Plain tip text"><mdui-button>Expert</mdui-button></mdui-tooltip>
<mdui-tooltip variant=rich headline="Rich headline" content="Grant this to a friend"><mdui-button variant=outlined>Rich</mdui-button><mdui-button slot=action variant=text id=learn>Learn more</mdui-button></mdui-tooltip>
<div><mdui-chip id=filter variant=filter selectable>Nearby</mdui-chip><mdui-chip id=input variant=input deletable>Ann</mdui-chip><mdui-chip id=sugg>Suggest</mdui-chip></div>
<mdui-button-icon id=fav selectable icon=favorite_border selected-icon=favorite></mdui-button-icon>
<mdui-card id=card clickable style="width:200px;height:60px">Card to open</mdui-card>
<div style="width:100%;position:relative;height:90px"><mdui-navigation-bar id=nav value=home style="position:absolute"><mdui-navigation-bar-item value=home>Home</mdui-navigation-bar-item><mdui-navigation-bar-item value=library>Library</mdui-navigation-bar-item><mdui-navigation-bar-item value=profile>Profile</mdui-navigation-bar-item></mdui-navigation-bar></div>
<div class="mdui-table"><table><thead><tr><th>Name</th><th>Age</th></tr></thead><tbody><tr><td>Ann</td><td>31</td></tr></tbody></table></div>
<mdui-fab id=fab extended icon=edit>Compose</mdui-fab>
</div>`;
const $ = window.$ = id => document.getElementById(id);
const on = (id, e, f) => $(id).addEventListener(e, f);
$('range').value = [20, 60];
on('menu', 'click', e => { const i = e.target.closest('mdui-menu-item'); if (i) S.act = i.value; });
on('ctx', 'click', e => { const i = e.target.closest('mdui-menu-item'); if (i) S.ctx = i.value; });
on('hov', 'click', e => { const i = e.target.closest('mdui-menu-item'); if (i) S.hov = i.value; });
on('opendlg', 'click', () => { $('dlg').open = true; });
on('yes', 'click', () => { S.gone = true; $('dlg').open = false; });
on('no', 'click', () => { $('dlg').open = false; });
on('conf', 'click', () => confirm({ headline: 'Leave the page?', description: 'Your draft is not saved.', confirmText: 'Leave', cancelText: 'Stay', onConfirm: () => { S.left = true; } }).catch(() => {}));
on('prom', 'click', () => prompt({ headline: 'Your nickname', description: 'Used in chat', confirmText: 'Save name', onConfirm: v => { S.nick = v; } }).catch(() => {}));
on('opendrawer', 'click', () => { $('drawer').open = true; });
on('sett', 'click', () => { S.sett = true; });
on('bye', 'click', () => { $('drawer').open = false; });
on('snack', 'click', () => snackbar({ message: 'Photo archived', action: 'Undo', onActionClick: () => { S.undone = true; } }));
on('learn', 'click', () => { S.learn = true; });
on('input', 'delete', () => { S.deleted = true; $('input').remove(); });
on('sugg', 'click', () => { S.sugg = true; });
on('card', 'click', () => { S.card = true; });
on('starred', 'click', () => { S.starred = true; });
on('about', 'click', () => { S.about = true; });
on('fab', 'click', () => { S.fab = true; });
