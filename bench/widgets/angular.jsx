import '@angular/compiler';
import '../node_modules/@angular/material/prebuilt-themes/azure-blue.css';
import { Component, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { FormsModule } from '@angular/forms';
import { MatSelectModule } from '@angular/material/select';
import { MatInputModule } from '@angular/material/input';
import { MatAutocompleteModule } from '@angular/material/autocomplete';
import { MatDatepickerModule } from '@angular/material/datepicker';
import { MatSliderModule } from '@angular/material/slider';
import { MatChipsModule } from '@angular/material/chips';
import { MatMenuModule } from '@angular/material/menu';
import { MatButtonModule } from '@angular/material/button';
import { MatPaginatorModule } from '@angular/material/paginator';
import { MatStepperModule } from '@angular/material/stepper';
import { provideNativeDateAdapter } from '@angular/material/core';
import { DragDropModule, moveItemInArray } from '@angular/cdk/drag-drop';
const S = window.S = { food: '', sides: [], town: '', day: new Date(2026, 2, 10), volume: 30, page: 0, size: 5, list: ['Tide', 'Dock', 'Fog'], chips: ['oar', 'sail'] };
const App = Component({
	selector: 'app-root',
	imports: [FormsModule, MatSelectModule, MatInputModule, MatAutocompleteModule, MatDatepickerModule, MatSliderModule, MatChipsModule, MatMenuModule, MatButtonModule, MatPaginatorModule, MatStepperModule, DragDropModule],
	template: `<div style="width:600px;padding:20px">
	<mat-form-field><mat-label>Food</mat-label><mat-select [(ngModel)]="S.food"><mat-option value="soup">Soup</mat-option><mat-option value="rice">Rice</mat-option><mat-option value="stew">Stew</mat-option></mat-select></mat-form-field>
	<mat-form-field><mat-label>Sides</mat-label><mat-select multiple [(ngModel)]="S.sides"><mat-option value="Bread">Bread</mat-option><mat-option value="Olives">Olives</mat-option><mat-option value="Salad">Salad</mat-option></mat-select></mat-form-field>
	<mat-form-field><mat-label>Town</mat-label><input matInput [(ngModel)]="S.town" [matAutocomplete]="auto"><mat-autocomplete #auto="matAutocomplete">@for (t of towns(); track t) {<mat-option [value]="t">{{t}}</mat-option>}</mat-autocomplete></mat-form-field>
	<mat-form-field><mat-label>Departure</mat-label><input matInput [matDatepicker]="picker" [(ngModel)]="S.day"><mat-datepicker-toggle matIconSuffix [for]="picker" /><mat-datepicker #picker /></mat-form-field>
	<p>Volume <mat-slider min="0" max="100" step="1"><input matSliderThumb aria-label="Volume" [(ngModel)]="S.volume"></mat-slider></p>
	<mat-chip-set aria-label="Gear">@for (c of S.chips; track c) {<mat-chip (removed)="drop(c)">{{c}}<button matChipRemove [attr.aria-label]="'remove ' + c">x</button></mat-chip>}</mat-chip-set>
	<button matButton [matMenuTriggerFor]="menu">File</button><mat-menu #menu="matMenu"><button mat-menu-item (click)="S.item='open'">Open</button><button mat-menu-item [matMenuTriggerFor]="sub">Export</button></mat-menu><mat-menu #sub="matMenu"><button mat-menu-item (click)="S.item='pdf'">As PDF</button></mat-menu>
	<mat-paginator [length]="40" [pageSize]="S.size" [pageSizeOptions]="[5,10,20]" [pageIndex]="S.page" (page)="S.page=$event.pageIndex;S.size=$event.pageSize" />
	<div cdkDropList (cdkDropListDropped)="move($event)">@for (x of S.list; track x) {<div cdkDrag style="padding:10px;border:1px solid #ccc">{{x}}</div>}</div>
	<mat-stepper [linear]="false"><mat-step label="Boat"><p>Choose a boat</p><button matButton matStepperNext>Onward</button></mat-step><mat-step label="Crew"><p>Name the crew</p><button matButton (click)="S.crew=true">Finish</button></mat-step></mat-stepper>
	</div>`,
})(class {
	S = S;
	towns() { return ['Oslo', 'Lima', 'Linz'].filter(t => t.toLowerCase().includes((S.town || '').toLowerCase())); }
	drop(c) { S.chips = S.chips.filter(x => x !== c); }
	move(e) { moveItemInArray(S.list, e.previousIndex, e.currentIndex); }
});
document.getElementById('root').innerHTML = '<app-root></app-root>';
bootstrapApplication(App, { providers: [provideZonelessChangeDetection(), provideNativeDateAdapter()] }).then(() => { S.ready = true; });
