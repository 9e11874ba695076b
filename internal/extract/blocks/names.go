package blocks

// The names of features that come in families.

var (
	ancestorNames = [6][8]string{
		{"an0_w", "an0_wf", "an0_ld", "an0_nb", "an0_mw", "an0_np", "an0_rep", "an0_rp"},
		{"an1_w", "an1_wf", "an1_ld", "an1_nb", "an1_mw", "an1_np", "an1_rep", "an1_rp"},
		{"an2_w", "an2_wf", "an2_ld", "an2_nb", "an2_mw", "an2_np", "an2_rep", "an2_rp"},
		{"an3_w", "an3_wf", "an3_ld", "an3_nb", "an3_mw", "an3_np", "an3_rep", "an3_rp"},
		{"an4_w", "an4_wf", "an4_ld", "an4_nb", "an4_mw", "an4_np", "an4_rep", "an4_rp"},
		{"an5_w", "an5_wf", "an5_ld", "an5_nb", "an5_mw", "an5_np", "an5_rep", "an5_rp"},
	}
	neighbourNames = [4][3]string{
		{"nb-1_w", "nb-1_ld", "nb-1_same"},
		{"nb+1_w", "nb+1_ld", "nb+1_same"},
		{"nb-2_w", "nb-2_ld", "nb-2_same"},
		{"nb+2_w", "nb+2_ld", "nb+2_same"},
	}
	windowNames = [2][5]string{
		{"win5_wb", "win5_lb", "win5_wa", "win5_la", "win5_np"},
		{"win15_wb", "win15_lb", "win15_wa", "win15_la", "win15_np"},
	}
	rootNames = [3][9]string{
		{"rt50_in", "rt50_down", "rt50_up", "rt50_off", "rt50_ld", "rt50_np", "rt50_w", "rt50_after", "rt50_before"},
		{"rt75_in", "rt75_down", "rt75_up", "rt75_off", "rt75_ld", "rt75_np", "rt75_w", "rt75_after", "rt75_before"},
		{"rt90_in", "rt90_down", "rt90_up", "rt90_off", "rt90_ld", "rt90_np", "rt90_w", "rt90_after", "rt90_before"},
	}
	kindNames = [6][3]string{
		{"lk_internal", "lkp_internal", "lkg_internal"},
		{"lk_external", "lkp_external", "lkg_external"},
		{"lk_fragment", "lkp_fragment", "lkg_fragment"},
		{"lk_script", "lkp_script", "lkg_script"},
		{"lk_social", "lkp_social", "lkg_social"},
		{"lk_taxonomy", "lkp_taxonomy", "lkg_taxonomy"},
	}
	commonNames = [2]string{"nb-1_common", "nb+1_common"}
	parentNames = [4]string{"lkp_n", "lkp_img", "lkg_n", "lkg_img"}
)
