import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';
import * as Reka from 'reka-ui';
const S = window.S = reactive({ town: '', fruit: '', day: undefined, tags: ['a'], pin: [], tab: 'a', vol: [20], step: 1, open: false, night: false, num: 1, tree: [] });
const app = createApp({
	setup: () => ({ S, towns: ['Oslo', 'Lima', 'Linz'], fruits: ['Apple', 'Apricot', 'Banana'], nodes: [{ title: 'Deck', children: [{ title: 'Mast' }] }, { title: 'Hold' }] }),
	template: `<div style="width:500px;padding:20px">
	<SelectRoot v-model="S.town"><SelectTrigger aria-label="Town"><SelectValue placeholder="Choose a town" /></SelectTrigger><SelectPortal><SelectContent style="background:#fff"><SelectViewport><SelectItem v-for="t in towns" :key="t" :value="t"><SelectItemText>{{t}}</SelectItemText></SelectItem></SelectViewport></SelectContent></SelectPortal></SelectRoot>
	<ComboboxRoot v-model="S.fruit"><ComboboxAnchor><ComboboxInput placeholder="Search fruit" /><ComboboxTrigger>v</ComboboxTrigger></ComboboxAnchor><ComboboxContent><ComboboxViewport><ComboboxItem v-for="f in fruits" :key="f" :value="f">{{f}}</ComboboxItem></ComboboxViewport></ComboboxContent></ComboboxRoot>
	<DateFieldRoot v-model="S.day" v-slot="{ segments }" aria-label="Departure" locale="en"><template v-for="s in segments" :key="s.part"><DateFieldInput :part="s.part">{{s.value}}</DateFieldInput></template></DateFieldRoot>
	<TagsInputRoot v-model="S.tags"><TagsInputItem v-for="t in S.tags" :key="t" :value="t"><TagsInputItemText /><TagsInputItemDelete>x</TagsInputItemDelete></TagsInputItem><TagsInputInput placeholder="Add a tag" /></TagsInputRoot>
	<p>Code <PinInputRoot v-model="S.pin" otp><PinInputInput v-for="i in 4" :key="i" :index="i-1" /></PinInputRoot></p>
	<TabsRoot v-model="S.tab"><TabsList><TabsTrigger value="a">Hull</TabsTrigger><TabsTrigger value="b">Sails</TabsTrigger></TabsList><TabsContent value="a">Oak planks</TabsContent><TabsContent value="b">Red canvas</TabsContent></TabsRoot>
	<SliderRoot v-model="S.vol" :max="100" style="position:relative;display:flex;width:200px;height:20px"><SliderTrack style="background:#ccc;flex:1"><SliderRange /></SliderTrack><SliderThumb aria-label="Volume" style="width:16px;height:16px;background:#333" /></SliderRoot>
	<p>Night watch <SwitchRoot v-model="S.night" aria-label="Night watch" style="width:30px;height:16px"><SwitchThumb /></SwitchRoot></p>
	<NumberFieldRoot v-model="S.num" :min="0"><NumberFieldDecrement>-</NumberFieldDecrement><NumberFieldInput aria-label="Boats" /><NumberFieldIncrement>+</NumberFieldIncrement></NumberFieldRoot>
	<MenubarRoot><MenubarMenu><MenubarTrigger>File</MenubarTrigger><MenubarPortal><MenubarContent style="background:#fff"><MenubarItem @select="S.item='new'">New</MenubarItem><MenubarSub><MenubarSubTrigger>Export</MenubarSubTrigger><MenubarPortal><MenubarSubContent style="background:#fff"><MenubarItem @select="S.item='pdf'">As PDF</MenubarItem></MenubarSubContent></MenubarPortal></MenubarSub></MenubarContent></MenubarPortal></MenubarMenu></MenubarRoot>
	<HoverCardRoot :open-delay="100"><HoverCardTrigger href="#x">Captain</HoverCardTrigger><HoverCardPortal><HoverCardContent style="background:#fff">Ann has sailed since 1999</HoverCardContent></HoverCardPortal></HoverCardRoot>
	<AlertDialogRoot><AlertDialogTrigger>Sink</AlertDialogTrigger><AlertDialogPortal><AlertDialogOverlay style="position:fixed;inset:0;background:#0006" /><AlertDialogContent style="position:fixed;top:90px;left:90px;background:#fff"><AlertDialogTitle>Sink the boat?</AlertDialogTitle><AlertDialogDescription>It cannot be raised again.</AlertDialogDescription><AlertDialogCancel>Keep</AlertDialogCancel><AlertDialogAction @click="S.sunk=true">Sink it</AlertDialogAction></AlertDialogContent></AlertDialogPortal></AlertDialogRoot>
	<EditableRoot default-value="Tern" @submit="v => S.boat = v" placeholder="Boat"><EditableArea><EditablePreview /><EditableInput aria-label="Boat" /></EditableArea><EditableEditTrigger>Edit</EditableEditTrigger><EditableSubmitTrigger>Save</EditableSubmitTrigger></EditableRoot>
	<TreeRoot :items="nodes" :get-key="i => i.title" v-slot="{ flattenItems }"><TreeItem v-for="i in flattenItems" :key="i._id" v-bind="i.bind" v-slot="{ isExpanded }" @select="S.node = i.value.title">{{i.value.title}}</TreeItem></TreeRoot>
	<ListboxRoot @update:model-value="v => S.boats = v.join()" multiple><ListboxContent><ListboxItem v-for="x in ['Heron','Gull','Tern']" :key="x" :value="x">{{x}}</ListboxItem></ListboxContent></ListboxRoot>
	</div>`,
});
for (const [k, v] of Object.entries(Reka)) if (/^[A-Z]/.test(k) && v && typeof v === 'object') app.component(k, v);
app.mount('#root');
